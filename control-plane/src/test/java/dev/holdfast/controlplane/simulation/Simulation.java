// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ControlPlane;
import dev.holdfast.controlplane.ControlPlaneOptions;
import dev.holdfast.controlplane.brake.BrakeOptions;
import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run. Authors edit, fate strikes, and between their acts messages are delivered, the control
 * plane gets on, its writes become durable and time passes, in an order that is chance's. Then all
 * comes to rest, and it begins again.
 */
final class Simulation {
  private static final List<String> CLASSES = List.of("a", "b", "c");

  /** On the network, or of the control plane and its disk, with everything that this causes. */
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  private static final int MOST_EVENTS_TO_REST = 200_000;

  private final long seed;
  private final boolean withApps;
  private final Chance chance;
  private final Plan plan;
  private final ManualTime time = new ManualTime();
  private final Tape tape = new Tape(time);
  private final Author author = new Author(time);
  private final Directory directory = new Directory(author);
  private final Set<String> classes = new TreeSet<>();
  private final Network network;
  private final List<Member> members = new ArrayList<>();

  /** Proxies that lie, of which there is one in each class; nothing is expected of them. */
  private final List<Member> liars = new ArrayList<>();

  /** Proxies that refuse what nobody else of their class does, also after a restart. */
  private final List<Member> odds = new ArrayList<>();

  /** Odd ones that run what no server knows any more, with the number of the process. */
  private final Map<Member, Integer> adopted = new HashMap<>();

  /** Proxies that try everything first, of which there is one in each class. */
  private final List<Member> scouts = new ArrayList<>();

  /** The classes whose scout was away, or silent, or died, since all was at rest. */
  private final Set<String> unwell = new TreeSet<>();

  private final @Nullable Chance scouting;
  private final @Nullable Chance being;
  private final @Nullable Chance hosting;

  private final List<Liar> lies = new ArrayList<>();
  private final @Nullable Chance lying;
  private final @Nullable Chance emptying;

  /** Whether an honest proxy was away, or silent, since all was at rest. */
  private boolean disturbed;

  private final Edits edits;
  private final Commits commits;
  private final Disk disk;
  private final Statuses statuses;
  private final Holds holds;
  private final Serving serving;

  /** The same for odd proxies, which stay with generations that all others have left behind. */
  private final Serving servingOdd;

  private final Resends resends = new Resends();
  private final BadLuck luck = new BadLuck();
  private final Rest rest;
  private final Apps apps;
  private final @Nullable Faults faults;
  private final boolean stealing;

  /** The proxies whose node ids were stolen, and the thieves. */
  private final Set<String> sharedNodeIds = new TreeSet<>();

  private @Nullable Life life;

  Simulation(long seed, Setting setting) {
    this.seed = seed;
    this.withApps = setting.withApps();
    this.lying = setting.has(Setting.Trouble.LIARS) ? new Chance(~seed + 2) : null;
    this.emptying = setting.has(Setting.Trouble.EMPTIED_DIRECTORIES) ? new Chance(~seed + 3) : null;
    this.being = setting.has(Setting.Trouble.ODD_PROXIES) ? new Chance(~seed + 4) : null;
    this.scouting = setting.has(Setting.Trouble.SCOUTS) ? new Chance(~seed + 6) : null;
    this.hosting = setting.has(Setting.Trouble.HOSTS_ONE_BY_ONE) ? new Chance(~seed + 7) : null;
    this.stealing = setting.has(Setting.Trouble.STOLEN_NODE_IDS);
    chance = new Chance(seed);
    plan = Plan.of(chance);
    classes.addAll(CLASSES.subList(0, plan.classes()));
    network = new Network(chance);
    edits =
        new Edits(
            chance,
            author,
            new Names(plan.hosts(), chance.between(1, 3), chance.below(3)),
            plan.percentFlawed(),
            setting.has(Setting.Trouble.CARELESS_AUTHORS) ? new Chance(~seed) : null,
            setting.has(Setting.Trouble.DEADLY_POLICIES) ? new Chance(~seed + 1) : null,
            being == null ? null : new Chance(~seed + 5));
    faults = setting.has(Setting.Trouble.BUGS) ? new Faults(~seed + 2) : null;
    disk = new Disk();
    commits = new Commits(author, classes, this::isExcused, setting.withApps());
    serving = new Serving(author, this::isAccepted, commits::isSteady);
    servingOdd = new Serving(author, this::isAccepted, commits::isSteady);
    disk.onAccepted(commits::accepted);
    statuses = new Statuses(disk);
    holds = new Holds(author, classes);
    rest = new Rest(author, classes, statuses, disk, commits, luck);
    apps =
        new Apps(
            seed,
            new AppServing(author, this::isAccepted, serving::isExcused),
            new AppRest(author, rest::isClean));
  }

  /** Runs to the end; throws if anything is ever not as it must be. */
  Tape run() {
    Alarm.reset();
    try {
      edit(edits.first());
      start();
      boolean talkative = chance.percent(50);
      List<Taste> tastes = classes.stream().map(group -> new Taste(group, talkative)).toList();
      addLiars(tastes);
      addOdd(talkative);
      addScouts(tastes);
      boolean usual = lying == null && being == null;
      int honest = usual ? plan.members() : Math.max(plan.members(), 3 * classes.size());
      for (int i = 0; i < honest; i++) {
        members.add(
            new Member(
                "e" + i,
                tastes.get(i % tastes.size()),
                isDelta(tastes.get(i % tastes.size()).group, chance),
                time,
                network::add));
      }
      if (withApps) {
        apps.start(plan.hosts(), time, network::add);
      }
      if (!usual || chance.percent(70)) {
        comeToRest();
      }
      for (int i = 0; i < plan.phases(); i++) {
        live(plan.acts());
        comeToRest();
      }
      members.forEach(Member::close);
      liars.forEach(Member::close);
      odds.forEach(Member::close);
      scouts.forEach(Member::close);
      apps.end();
      return tape;
    } catch (RuntimeException | AssertionError e) {
      throw new AssertionError(
          "seed " + seed + ": " + e.getMessage() + "\n" + plan + "\n" + tape + "\n" + report(), e);
    }
  }

  /** Which protocol a proxy speaks. */
  private boolean isDelta(String group, Chance own) {
    boolean delta = own.percent(50);
    return hosting == null ? delta : !group.equals("b");
  }

  private void addLiars(List<Taste> tastes) {
    Chance own = lying;
    if (own == null) {
      return;
    }
    for (Taste taste : tastes) {
      Liar liar = new Liar(taste, own);
      String id = "l" + taste.group;
      String nodeId = stealing ? "e" + lies.size() : id; // of an honest one of its class
      if (stealing) {
        sharedNodeIds.addAll(List.of(id, nodeId));
      }
      lies.add(liar);
      liars.add(new Member(id, nodeId, taste, liar, isDelta(taste.group, own), time, network::add));
    }
  }

  private void addScouts(List<Taste> tastes) {
    if (scouting != null) {
      unwell.addAll(classes);
      for (Taste taste : tastes) {
        scouts.add(
            Member.scout(
                "s" + taste.group, taste, isDelta(taste.group, scouting), time, network::add));
      }
    }
  }

  /** Those that try everything first come and go, as others do. */
  private void actScout(Chance own) {
    Member scout = own.one(scouts);
    Link link = scout.link();
    int dice = own.below(100);
    unwell.add(scout.taste.group);
    luck.strikes(scout.id);
    if (dice < 40) {
      tape.note(scout + " restarts");
      scout.restart();
    } else if (dice < 70 && link != null && link.isOpen()) {
      tape.note(link + " breaks");
      link.cut();
    } else if (scout.isHanging()) {
      tape.note(scout + " wakes");
      scout.wake();
    } else {
      tape.note(scout + " hangs");
      scout.hang();
    }
  }

  /** A canary stands in for one that answers too slowly. */
  private void lookAtScouts() {
    Life current = life;
    if (scouting != null && current != null && !current.hasTurn()) {
      for (ProxyReport proxy : current.ask(ControlPlane::proxies)) {
        ProxyReport.ScoutReport scout = proxy.scout();
        if (scout != null && !scout.idle().isEmpty()) {
          unwell.add(proxy.node().substring(1));
        }
      }
    }
  }

  private void addOdd(boolean talkative) {
    Chance own = being;
    if (own != null) {
      for (String group : classes) {
        Taste taste = Taste.odd(group, talkative);
        odds.add(new Member("o" + group, taste, isDelta(group, own), time, network::add));
      }
    }
  }

  /** Those that are odd come and go, as others do. */
  private void actOdd(Chance own) {
    Member member = own.one(odds);
    Link link = member.link();
    int dice = own.below(100);
    commits.disturbed(member); // what others accept meanwhile is on trial for its class
    if (dice < 40) {
      tape.note(member + " restarts");
      servingOdd.restarted(member);
      luck.strikes(member.id);
      member.restart();
    } else if (dice < 70 && link != null && link.isOpen()) {
      tape.note(link + " breaks");
      link.cut();
    } else if (member.isHanging()) {
      tape.note(member + " wakes");
      member.wake();
    } else if (dice < 85) {
      tape.note(member + " hangs");
      luck.strikes(member.id);
      member.hang();
    }
  }

  /** Those that lie do so in another way, or come and go. */
  private void lie(Chance own) {
    Member member = own.one(liars);
    Link link = member.link();
    int dice = own.below(100);
    commits.disturbed(member); // what others accept meanwhile is on trial for its class
    if (dice < 50) {
      tape.note(member + " lies: " + own.one(lies).change());
    } else if (dice < 70) {
      tape.note(member + " restarts");
      luck.strikes(nodeId(member), member.id);
      member.restart();
    } else if (dice < 85 && link != null && link.isOpen()) {
      tape.note(link + " breaks");
      link.cut();
    } else if (member.isHanging()) {
      tape.note(member + " wakes");
      member.wake();
    } else {
      tape.note(member + " hangs");
      luck.strikes(nodeId(member), member.id);
      member.hang();
    }
  }

  private String nodeId(Member liar) {
    return stealing ? "e" + liars.indexOf(liar) : liar.id;
  }

  /** What the control plane has to say of it. */
  private String report() {
    if (life == null) {
      return "no control plane is running";
    }
    List<String> lines = new ArrayList<>();
    life.ask(ControlPlane::holds).forEach(hold -> lines.add("held: " + hold));
    life.ask(ControlPlane::incidents).forEach(incident -> lines.add("incident: " + incident));
    life.ask(ControlPlane::proxies).forEach(proxy -> lines.add("proxy: " + proxy));
    author
        .live()
        .values()
        .forEach(written -> lines.add(written + ": " + statuses.programmed(written.key())));
    for (Member member : Stream.concat(members.stream(), odds.stream()).toList()) {
      author
          .roots()
          .forEach(
              root ->
                  lines.add(
                      "%s serves %s of %s: %s"
                          .formatted(member, member.mark(root), root, member.answer(root))));
    }
    return String.join("\n", lines);
  }

  /** Whether a generation of a root is accepted, and not one of which nothing can be served. */
  private boolean isAccepted(ObjectKey root) {
    Written accepted = author.get(root, disk.accepted(root));
    return accepted != null && accepted.sketch().flaw() != Flaw.INVALID;
  }

  private boolean isExcused(ObjectKey root) {
    return serving.isExcused(root);
  }

  private void live(int acts) {
    int left = acts;
    while (left > 0) {
      if (chance.percent(isCalm() ? 50 : plan.percentAct())) {
        act();
        left--;
      } else {
        step();
      }
      check();
    }
  }

  /** Whether nothing happens unless somebody does something, or time passes. */
  private boolean isCalm() {
    return !network.hasAny() && !apps.hasTurn() && (life == null || life.isIdle());
  }

  // Acts.

  private void act() {
    if (lying != null && lying.percent(30)) {
      lie(lying);
    }
    if (being != null && being.percent(30)) {
      actOdd(being);
    }
    if (scouting != null && scouting.percent(15)) {
      actScout(scouting);
    }
    if (emptying != null && emptying.percent(directory.lacksSomething() ? 30 : 15)) {
      emptyOrRestore(emptying);
    }
    if (chance.percent(plan.percentFaults())) {
      fault();
    } else {
      edit(edits.next());
    }
  }

  private void emptyOrRestore(Chance own) {
    if (directory.lacksSomething()) {
      tape.note("the directory is restored in part");
      report(directory.restoreSome(own));
    } else {
      tape.note("the directory is emptied");
      report(directory.empty());
    }
  }

  private void edit(SortedMap<ObjectKey, @Nullable Sketch> next) {
    ObjectChanges changes = directory.edit(next.keySet(), () -> author.edit(next));
    List<String> what = new ArrayList<>();
    next.forEach((key, sketch) -> what.add(sketch == null ? "no " + key : author.get(key) + ""));
    tape.note("edit " + what);
    serving.edited();
    servingOdd.edited();
    apps.edited();
    report(changes);
  }

  private void report(ObjectChanges changes) {
    if (life != null && !changes.hasNoObjectChanges()) {
      life.change(changes);
    }
  }

  private void fault() {
    if (apps.isNext()) {
      tape.note(apps.fault());
      return;
    }
    Member member = chance.one(members);
    int dice = chance.below(100);
    if (dice < 35) {
      disconnect(member);
    } else if (dice < 50) {
      tape.note(member + " restarts");
      disturbed = true;
      commits.disturbed(member);
      serving.restarted(member);
      luck.strikes(member.id);
      member.restart();
    } else if (dice < 70) {
      tape.note(member + " hangs");
      disturbed = true;
      commits.disturbed(member);
      luck.strikes(member.id);
      member.hang();
    } else if (dice < 80) {
      tape.note(member + " wakes");
      member.wake();
    } else if (life != null) {
      crash();
    } else {
      start();
    }
  }

  private void disconnect(Member member) {
    Link link = member.link();
    if (link != null && link.isOpen()) {
      tape.note(link + " breaks");
      disturbed = true;
      commits.disturbed(member);
      link.cut();
    }
  }

  private void crash() {
    tape.note("the control plane crashes");
    if (life != null) {
      life.crash();
    }
    life = null;
    network.serverDied();
    unwell.addAll(classes);
    disturbed = true;
    resends.crashed(sharedNodeIds);
    commits.crashed();
    if (edits.poison() != null) {
      edits.poison().crashed();
    }
    members.forEach(serving::serverDied);
    odds.forEach(servingOdd::serverDied);
    odds.stream().filter(this::runsWhatIsNotStored).forEach(odd -> adopted.put(odd, odd.process()));
    apps.serverDied();
    if (chance.percent(70)) {
      start();
    }
  }

  /** Over SotW it cannot say which generations these are. */
  private boolean runsWhatIsNotStored(Member member) {
    return !member.isDelta()
        && author.roots().stream()
            .anyMatch(
                root -> {
                  Written stored = author.get(root, disk.accepted(root));
                  String mark = member.mark(root);
                  return !mark.isEmpty()
                      && (stored == null || !mark.equals(stored.sketch().mark()));
                });
  }

  private void start() {
    tape.note("the control plane starts with " + disk.accepted());
    for (Serving each : List.of(serving, servingOdd)) {
      each.notFound(directory.missingAmongOthers());
      each.notFound(endpointsThatNobodyKnows());
    }
    Life next = new Life(time, disk, statuses, options());
    next.change(
        new ObjectChanges(directory.objects(), new TreeMap<>(), new TreeSet<>(), List.of()));
    next.turn();
    life = next;
  }

  /** Endpoints that cannot be read now, and of which no earlier generation was ever stored. */
  private Set<ObjectKey> endpointsThatNobodyKnows() {
    Set<ObjectKey> unknown = new TreeSet<>();
    author
        .live()
        .forEach(
            (key, written) -> {
              if (key.kind().equals("EndpointSlice")
                  && written.sketch().flaw() == Flaw.INVALID
                  && !isAccepted(key)) {
                unknown.add(key);
              }
            });
    return unknown;
  }

  private ControlPlaneOptions options() {
    return new ControlPlaneOptions(
            "simulation",
            TranslationOptions.defaults().withVhds(hosting != null && hosting.percent(70)),
            RolloutOptions.defaults(),
            // There are few hosts, and an emptied directory takes all of them.
            emptying == null ? BrakeOptions.defaults() : BrakeOptions.of(50, 0))
        .withProbe(faults == null ? DecisionProbe.NONE : faults);
  }

  // Steps.

  private void step() {
    boolean calm = isCalm();
    step(calm ? 1 : plan.time());
  }

  /**
   * @param eagerness of time to pass
   */
  private void step(int eagerness) {
    Life current = life;
    int net = network.hasAny() ? plan.network() : 0;
    int turns = current != null && current.hasTurn() ? plan.turns() : 0;
    int writes = current != null && current.hasWrite() ? plan.writes() : 0;
    int calls = apps.hasTurn() ? plan.turns() : 0;
    int dice = chance.below(net + turns + writes + calls + eagerness);
    if (dice < net) {
      deliver();
    } else if (current != null && dice < net + turns) {
      tape.note("turn");
      current.turn();
      lookAtScouts();
    } else if (current != null && dice < net + turns + writes) {
      tape.note("write");
      current.write();
    } else if (dice >= net + turns + writes && dice < net + turns + writes + calls) {
      tape.note(apps.turn());
    } else {
      pass(Duration.ofMillis(chance.one(List.of(1, 10, 100, 1000, 5000))));
    }
  }

  private void deliver() {
    Network.Delivery delivery = network.deliver(life);
    tape.note(delivery);
    if (stealing && resends.isClaim(delivery)) {
      excuseTwin(delivery.link().owner);
    }
    resends.delivered(delivery);
    Peer owner = delivery.link().owner;
    if (delivery.up() && network.overlaps(owner)) {
      sharedNodeIds.add(owner.id()); // for a moment, two processes had it
    }
  }

  /** Over Delta, two processes that are both away name the same versions. */
  private void excuseTwin(Peer owner) {
    for (int i = 0; i < liars.size(); i++) {
      Member liar = liars.get(i);
      Member honest = members.get(i);
      Member twin = owner == liar ? honest : owner == honest ? liar : null;
      if (twin != null && twin.isDelta() && !network.isConnected(twin)) {
        resends.indistinct(owner, twin);
      }
    }
  }

  /** Lets time pass, but not beyond the next thing that is due, nor for too long a delay. */
  private void pass(Duration most) {
    Duration next = time.untilNext();
    Duration by = next == null || next.compareTo(most) > 0 ? most : next;
    if (isCalm() || by.toNanos() + network.longestWait() < LONGEST_DELAY.toNanos()) {
      time.advance(by);
      tape.note("time");
      lookAtScouts();
    }
  }

  /** Nobody does anything any more: what is under way comes to its end. */
  private void comeToRest() {
    tape.note("coming to rest");
    setQuiet(true);
    members.forEach(Member::wake);
    liars.forEach(Member::wake);
    odds.forEach(Member::wake);
    scouts.forEach(Member::wake);
    apps.wake();
    if (life == null) {
      start();
    }
    restore();
    Life current = life;
    if (current == null) {
      throw new AssertionError();
    }
    long limit = tape.events() + MOST_EVENTS_TO_REST;
    for (boolean more = true; more; ) {
      check();
      if (tape.events() > limit) {
        throw new Broken("never comes to rest");
      }
      if (network.hasAny() || !current.isIdle() || apps.hasTurn()) {
        step(0);
      } else {
        Duration next = time.untilNext();
        more = next != null;
        if (next != null) {
          pass(next);
        }
      }
    }
    tape.note("at rest");
    rest.check(members, current);
    rest.checkOdd(
        odds.stream().filter(odd -> !Objects.equals(adopted.get(odd), odd.process())).toList());
    disturbed = false;
    unwell.clear();
    commits.atRest();
    serving.atRest(classes);
    servingOdd.atRest(Rest.withOdd(classes));
    members.forEach(serving::look);
    odds.forEach(servingOdd::look);
    apps.atRest(current);
    setQuiet(false);
  }

  /** All that is not deleted is there again, and what is deleted is confirmed. */
  private void restore() {
    if (emptying != null && life != null) {
      tape.note("the directory is restored");
      report(directory.restore());
      life.confirmDeletions();
    }
  }

  private void setQuiet(boolean now) {
    if (faults != null) {
      faults.setQuiet(now);
    }
  }

  private void excusePoison() {
    Poison poison = edits.poison();
    if (poison != null) {
      poison.excuse();
    }
  }

  // What must always be true.

  private void check() {
    Alarm.check();
    statuses.check();
    for (Member member : members) {
      int deaths = member.deaths();
      if (member.run()) {
        if (member.deaths() > deaths) {
          tape.note(member + " has died, and starts again");
          if (disk.accepted().isEmpty()) {
            excusePoison();
          } else if (scouting != null && !unwell.contains(member.taste.group)) {
            throw new Broken(member + " died although its class has a scout");
          }
          disturbed = true;
          commits.disturbed(member);
          serving.restarted(member);
        }
        serving.look(member);
        commits.look(member, author.roots());
      }
    }
    for (Member scout : scouts) {
      int deaths = scout.deaths();
      if (scout.run()) {
        if (scout.deaths() > deaths) {
          tape.note(scout + " has died, and starts again");
          unwell.add(scout.taste.group);
        }
        for (ObjectKey root : author.roots()) {
          if (scout.serves(root)) {
            throw new Broken(scout + " leads to a backend of " + root);
          }
        }
      }
    }
    for (Member liar : liars) {
      if (liar.run()) {
        commits.look(liar, author.roots());
      }
    }
    for (Member odd : odds) {
      int deaths = odd.deaths();
      if (odd.run()) {
        if (odd.deaths() > deaths) {
          tape.note(odd + " has died, and starts again");
          commits.disturbed(odd);
          servingOdd.restarted(odd);
        }
        servingOdd.look(odd);
      }
    }
    Poison poison = edits.poison();
    if (poison != null) {
      classes.forEach(group -> poison.check(members, group));
    }
    if (life != null && life.isIdle()) {
      resends.stored();
    }
    if (life != null && life.hasNews() && !((lying != null || being != null) && disturbed)) {
      holds.check(life);
    }
  }
}
