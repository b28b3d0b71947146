// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.Loop;
import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ClassSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.proxyclass.DivergedProxy;
import dev.holdfast.controlplane.rollout.proxyclass.FleetRolloutObserver;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rollouts of all classes over proxies that judge at once, and a store that keeps all. */
final class MixedFleet implements ProxyFleet, FleetRolloutObserver {
  final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final Loop loop =
      new Loop(
          executor,
          e -> {
            throw new AssertionError(e);
          });
  private final RolloutOptions options;
  private final Fleet objects = new Fleet();
  private final SortedMap<String, Fleet.Member> proxies = new TreeMap<>();
  private final Map<String, Long> connections = new HashMap<>();
  private final Map<String, Shown> separate = new HashMap<>();
  private final Map<String, Snapshot> ofProxies = new HashMap<>();

  /** Those that are shown only a part of a selection of their own. */
  private final Set<String> partly = new HashSet<>();

  /** Those that do not run a part of it: what they keep of their class needs something else. */
  final Set<String> needAllOfTheirOwn = new HashSet<>();

  private Shown all = new Shown(Snapshot.empty(), Set.of(), Snapshot.empty());
  private long lastConnection;

  final SortedMap<ObjectKey, ConfigObject> live = new TreeMap<>();
  final SortedMap<ObjectKey, AcceptedSpec> accepted = new TreeMap<>();
  final SortedMap<ClassSpec.Key, ClassSpec> byClass = new TreeMap<>();
  final Map<String, Instant> classes = new LinkedHashMap<>();
  final List<Evidence> certificates = new ArrayList<>();
  final List<String> told = new ArrayList<>();

  /** How long it takes to prepare something for a class of its own. */
  Duration classWork = Duration.ZERO;

  int classesShown;
  RolloutManager rollouts;

  private record Shown(Snapshot baseline, Set<String> canaries, Snapshot trial) {}

  MixedFleet(DisagreementPolicy disagreement) {
    options = RolloutOptions.defaults().withDisagreement(disagreement);
    rollouts = start();
  }

  private RolloutManager start() {
    return new RolloutManager(
        options,
        Translation.empty(TranslationOptions.defaults()),
        this,
        time,
        loop,
        this,
        message -> message);
  }

  /** A new process that knows what the old one stored; all proxies have yet to come back. */
  MixedFleet restart() {
    rollouts.close();
    proxies.clear();
    connections.clear();
    separate.clear();
    ofProxies.clear();
    all = new Shown(Snapshot.empty(), Set.of(), Snapshot.empty());
    rollouts = start();
    rollouts.restore(
        new TreeMap<>(accepted),
        List.copyOf(byClass.values()),
        new TreeSet<>(classes.keySet()),
        List.copyOf(certificates));
    SortedMap<ObjectKey, @Nullable ConfigObject> everything = new TreeMap<>(live);
    run(() -> rollouts.change(everything));
    return this;
  }

  // Proxies.

  /** A proxy that refuses routes with a word in them. */
  MixedFleet join(String node, String proxyClass, String dislikes) {
    return join(node, new Fleet.Member(proxyClass, dislikes));
  }

  /** One comes back with all that it had. */
  MixedFleet join(String node, Fleet.Member member) {
    proxies.put(node, member);
    connections.put(node, ++lastConnection);
    run(
        () -> {
          rollouts.connected(member.proxyClass);
          member.show(viewOf(node, member));
        });
    settle();
    return this;
  }

  Fleet.Member leave(String node) {
    Fleet.Member member = proxy(node);
    proxies.remove(node);
    ofProxies.remove(node);
    run(() -> rollouts.disconnected(node, member.proxyClass));
    settle();
    return member;
  }

  Fleet.Member proxy(String node) {
    Fleet.Member member = proxies.get(node);
    if (member == null) {
      throw new AssertionError(node);
    }
    return member;
  }

  private Snapshot viewOf(String node, Fleet.Member member) {
    Shown shown = separate.getOrDefault(member.proxyClass, all);
    Snapshot view = shown.canaries().contains(node) ? shown.trial() : shown.baseline();
    Snapshot own = ofProxies.get(node);
    Resource routes = own == null ? null : own.get(ResourceType.ROUTES, "ingress_http");
    return routes == null ? view : view.with(routes);
  }

  void run(Runnable task) {
    loop.execute(task);
    executor.runAll();
  }

  void advance(Duration by) {
    time.advance(by, executor::runAll);
    settle();
  }

  /** Whether a proxy has a selection of its own, and is shown all of it. */
  boolean isShownAllOfItsOwn(String node) {
    return ofProxies.containsKey(node) && !partly.contains(node);
  }

  /** Lets time pass in which nobody says anything. */
  void pass(Duration by) {
    time.advance(by, executor::runAll);
  }

  /** Lets the rollouts go on until nobody has anything more to say. */
  void settle() {
    for (int i = 0; i < 10_000; i++) {
      List<Object> before = state();
      run(rollouts::check);
      if (before.equals(state())) {
        return;
      }
    }
    throw new AssertionError("never settles");
  }

  private List<Object> state() {
    List<Object> state = new ArrayList<>();
    proxies.values().forEach(member -> state.add(member.pushes));
    state.add(rollouts.separate().keySet());
    state.add(held());
    state.add(all);
    state.add(new HashMap<>(separate));
    state.add(new HashMap<>(ofProxies));
    return state;
  }

  int pushes() {
    return proxies.values().stream().mapToInt(member -> member.pushes).sum();
  }

  // Objects.

  ConfigObject host(String name, String body) {
    return objects.host(name, body);
  }

  MixedFleet change(ConfigObject... changed) {
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    for (ConfigObject object : changed) {
      changes.put(object.key(), object);
      live.put(object.key(), object);
    }
    run(() -> rollouts.change(changes));
    settle();
    return this;
  }

  MixedFleet delete(ObjectKey key) {
    SortedMap<ObjectKey, @Nullable ConfigObject> changes = new TreeMap<>();
    changes.put(key, null);
    live.remove(key);
    run(() -> rollouts.change(changes));
    settle();
    return this;
  }

  /** What is held for all, and then for each class: {@code [CLASS:]NAME@HELD/SERVED}. */
  List<String> held() {
    List<String> held = new ArrayList<>();
    rollouts.common().holds().forEach(hold -> held.add(text(hold)));
    rollouts
        .separate()
        .forEach(
            (name, rollout) -> rollout.holds().forEach(hold -> held.add(name + ":" + text(hold))));
    return held;
  }

  private static String text(Hold hold) {
    return hold.key().name() + "@" + hold.generation() + "/" + hold.served();
  }

  // The stages.

  @Override
  public Collection<Member> members() {
    List<Member> members = new ArrayList<>();
    proxies.keySet().forEach(node -> addIfAny(member(node), members));
    return members;
  }

  private static void addIfAny(@Nullable Member member, List<Member> to) {
    if (member != null) {
      to.add(member);
    }
  }

  @Override
  public Collection<Member> refusing() {
    return members().stream()
        .filter(member -> !proxy(member.node()).refusedVersions.isEmpty())
        .toList();
  }

  @Override
  public @Nullable Member member(String node) {
    Fleet.Member member = proxies.get(node);
    return member == null
        ? null
        : new Member(node, member.proxyClass, connections.getOrDefault(node, 0L));
  }

  @Override
  public Verdict verdict(String node, Predicate<Resource> excused) {
    Fleet.Member member = proxies.get(node);
    if (needAllOfTheirOwn.contains(node) && partly.contains(node)) {
      return Verdict.OPEN;
    }
    return member == null ? Verdict.GONE : member.verdict(excused);
  }

  @Override
  public Opinion opinion(String node, Resource resource) {
    Fleet.Member member = proxy(node);
    if (resource.equals(member.running)) {
      return Opinion.RUNS;
    }
    return member.refusedVersions.contains(resource.version()) ? Opinion.REFUSED : Opinion.OPEN;
  }

  @Override
  public boolean runs(String node, TranslatedObject object) {
    Resource running = proxy(node).running;
    String part = object.footprint().get(new ResourceId(ResourceType.ROUTES, "ingress_http"));
    return part == null // nothing that it could lack
        || (running != null && part.equals(running.contributions().get(object.key())));
  }

  @Override
  public void show(Snapshot baseline, Set<String> canaries, Snapshot trial) {
    all = new Shown(baseline, canaries, trial);
    tell();
  }

  @Override
  public void showClass(
      String proxyClass, Snapshot baseline, Set<String> canaries, Snapshot trial) {
    classesShown++;
    time.advance(classWork);
    separate.put(proxyClass, new Shown(baseline, canaries, trial));
    tell();
  }

  @Override
  public void joinClass(String proxyClass) {
    separate.remove(proxyClass);
    tell();
  }

  @Override
  public Collection<Resource> refused(String node, Snapshot of) {
    Fleet.Member member = proxy(node);
    Resource routes = of.get(ResourceType.ROUTES, "ingress_http");
    return routes != null && member.refusedVersions.contains(routes.version())
        ? List.of(routes)
        : List.of();
  }

  @Override
  public @Nullable Resource running(String node, ResourceId id) {
    Resource running = proxy(node).running;
    return running != null && running.id().equals(id) ? running : null;
  }

  @Override
  public void showProxy(String node, Snapshot own, @Nullable Set<ResourceId> only, boolean trial) {
    ofProxies.put(node, own);
    if (only == null) {
      partly.remove(node);
    } else {
      partly.add(node);
    }
    tell();
  }

  @Override
  public void joinProxy(String node) {
    ofProxies.remove(node);
    partly.remove(node);
    tell();
  }

  private void tell() {
    proxies.forEach((node, member) -> member.show(viewOf(node, member)));
  }

  // The observer.

  @Override
  public void committed(Collection<ConfigObject> changed) {
    changed.forEach(object -> accepted.put(object.key(), AcceptedSpec.of(object)));
  }

  @Override
  public void replaced(ObjectKey key, @Nullable ConfigObject before) {
    differs(REPLACED, key, before);
  }

  @Override
  public void settled(Collection<ObjectKey> keys) {
    keys.forEach(key -> agrees(REPLACED, key));
  }

  @Override
  public void undone(Collection<ObjectKey> keys, Verdict.Refused refused) {
    told.add("undone " + String.join(" ", keys.stream().map(ObjectKey::name).toList()));
  }

  @Override
  public void dropped(ObjectKey key) {
    accepted.remove(key);
  }

  @Override
  public void whenDurable(Runnable task) {
    loop.execute(task);
  }

  @Override
  public void held(Hold hold) {
    if (hold.evidence() != null && hold.reason() == Hold.Reason.REJECTED) {
      certificates.add(hold.evidence());
    }
  }

  @Override
  public void evidenceForgotten(Evidence evidence) {
    certificates.removeIf(
        known ->
            known.proxyClass().equals(evidence.proxyClass())
                && known.part().equals(evidence.part()));
  }

  @Override
  public void released(ObjectKey key) {}

  @Override
  public void affected(ObjectKey key) {}

  @Override
  public void internalError(String what, Throwable error) {
    throw new AssertionError(what, error);
  }

  @Override
  public void incident(Incident incident) {}

  @Override
  public void seen(String proxyClass, Instant at) {
    classes.put(proxyClass, at);
  }

  @Override
  public void forgotten(String proxyClass) {
    classes.remove(proxyClass);
  }

  @Override
  public void differs(String proxyClass, ObjectKey key, @Nullable ConfigObject served) {
    ClassSpec spec =
        new ClassSpec(proxyClass, key, served == null ? null : AcceptedSpec.of(served));
    byClass.put(spec.key(), spec);
  }

  @Override
  public void agrees(String proxyClass, ObjectKey key) {
    byClass.remove(new ClassSpec.Key(proxyClass, key));
  }

  @Override
  public void diverged(DivergedProxy proxy) {
    told.add("diverged " + proxy.node());
  }

  @Override
  public void separated(String proxyClass, String reason) {
    told.add("separated " + proxyClass);
  }

  @Override
  public void rejoined(String proxyClass) {
    told.add("rejoined " + proxyClass);
  }
}
