// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import dev.holdfast.base.Loop;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.rollout.proxyclass.DivergedProxies;
import dev.holdfast.controlplane.rollout.proxyclass.LoopShare;
import dev.holdfast.controlplane.rollout.search.IncidentArchive;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.rollout.trial.CanaryLosses;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.rollout.trial.RolloutObserver;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The proxies that refuse a part of what the rest of their class runs. Each of them has a rollout
 * of its own, which finds out what it cannot run: it gets everything else, and of that the last
 * generation that it accepted, or nothing.
 *
 * <p>Such a proxy tries what its class runs already, and nothing else. What it answers is no vote,
 * holds no object for anybody else, and is no incident. The work for all of them together takes a
 * limited share of the loop's time. Loop only.
 */
public final class OddProxies {
  private static final int MOST = 32;

  private final RolloutOptions options;
  private final ProxyFleet fleet;
  private final DivergedProxies diverged;
  private final TimeSource time;
  private final Loop loop;
  private final RolloutObserver observer;
  private final UnaryOperator<String> sanitise;
  private final Function<String, Rollout> rolloutOf;
  private final Function<String, RecentCommits> commitsOf;
  private final LoopShare share;
  private final Runnable check;
  private final BiConsumer<ProxyFleet.Member, Baseline> isTheClass;
  private final LastSelections selections;
  private final Attempts attempts;
  private final OddDeaths deaths = new OddDeaths();
  private final SortedMap<String, OddProxy> odd = new TreeMap<>();

  private boolean waiting;

  /** If it waits, on the clock of {@code System.nanoTime}. */
  private long wakesAt;

  /**
   * @param rolloutOf gives the rollout of a class
   * @param commitsOf gives the latest commits of that rollout
   * @param share is shared with everybody else who has no say
   * @param check is called on the loop when there may be something to do
   * @param isTheClass is told what a proxy runs that does not differ from its class any more:
   *     nobody else of it may be left
   */
  public OddProxies(
      RolloutOptions options,
      ProxyFleet fleet,
      DivergedProxies diverged,
      TimeSource time,
      Loop loop,
      RolloutObserver observer,
      UnaryOperator<String> sanitise,
      Function<String, Rollout> rolloutOf,
      Function<String, RecentCommits> commitsOf,
      LoopShare share,
      LastSelections selections,
      Runnable check,
      BiConsumer<ProxyFleet.Member, Baseline> isTheClass) {
    this.isTheClass = isTheClass;
    this.options = options;
    this.fleet = fleet;
    this.diverged = diverged;
    this.time = time;
    this.loop = loop;
    this.observer = new OddObserver(observer);
    this.sanitise = sanitise;
    this.rolloutOf = rolloutOf;
    this.commitsOf = commitsOf;
    this.share = share;
    this.selections = selections;
    this.attempts = new Attempts(time);
    this.check = check;
  }

  /** Proxies may have answered, or their class is served something else. */
  public void check() {
    for (OddProxy each : List.copyOf(odd.values())) {
      boolean isConnected = each.isConnected();
      if (isConnected && !diverged.contains(each.member.node())) {
        isTheClass.accept(each.member, each.rollout.selection());
      }
      if (!isConnected || !diverged.contains(each.member.node())) {
        end(each);
      }
    }
    for (String node : List.copyOf(diverged.all().keySet())) {
      ProxyFleet.Member member = fleet.member(node);
      if (member != null
          && !odd.containsKey(node)
          && odd.size() < MOST
          && attempts.areLeft(member)
          && share.isOpen()) {
        share.run(() -> beginIfRefusing(member));
      }
    }
    for (OddProxy each : List.copyOf(odd.values())) {
      if (share.isOpen()) {
        share.run(() -> update(each));
      }
    }
  }

  private void update(OddProxy proxy) {
    Rollout ofClass = rolloutOf.apply(proxy.member.proxyClass());
    String node = proxy.member.node();
    proxy.update(ofClass, object -> deaths.isLeftOut(node, object), time.nanoTime());
    Duration wakeUp = proxy.wakeUp(time.nanoTime());
    // What one is held to have refused whose node id others use may have been another's.
    if (!wakeUp.isZero() && !fleet.sharesNodeId(node)) {
      wakeUp(wakeUp);
    }
    if (!ofClass.hasBaseline()) {
      return;
    }
    if (proxy.rollout.trial() == null && proxy.isChanged(ofClass)) {
      selections.keep(node, proxy.rollout.selection(), ofClass.selection());
    }
    if (proxy.isOutdated(ofClass) || proxy.refusesItsOwn()) {
      beginAgain(proxy, ofClass);
    } else if (proxy.agreesWith(ofClass)) {
      end(proxy);
      selections.forget(node);
    } else {
      proxy.stay();
    }
  }

  private void beginIfRefusing(ProxyFleet.Member member) {
    Rollout ofClass = rolloutOf.apply(member.proxyClass());
    Collection<Resource> refused = refused(member, ofClass);
    if (!refused.isEmpty() && ofClass.hasBaseline() && mayBegin(member, refused)) {
      begin(member, refused, ofClass);
    }
  }

  /**
   * What a proxy was believed to run it refuses, or its search was given up. It keeps its own
   * selection until there is another one: that of its class has what it is known not to run, and
   * routes that need it.
   */
  private void beginAgain(OddProxy proxy, Rollout ofClass) {
    ProxyFleet.Member member = proxy.member;
    Collection<Resource> refused = refused(member, ofClass);
    if (refused.isEmpty() || (proxy.isGivenUp() && attempts.areOver(member, refused))) {
      end(proxy);
    } else if (mayBegin(member, refused)) {
      begin(member, refused, ofClass);
      if (odd.get(member.node()) == proxy) {
        end(proxy); // it is not known any more what it runs
      } else {
        proxy.rollout.close();
      }
    } else if (proxy.refusesItsOwn() && !attempts.areOver(member, refused)) {
      proxy.awaitAnother();
    } else {
      proxy.stay();
    }
  }

  /** What a proxy refuses of the selection of its class, whatever it is shown itself. */
  private Collection<Resource> refused(ProxyFleet.Member member, Rollout ofClass) {
    return fleet.refused(member.node(), ofClass.baseline().snapshot()).stream()
        .filter(resource -> !ofClass.excuses(resource))
        .toList();
  }

  /** Whether to look for a selection now; if so, this counts as an attempt. */
  private boolean mayBegin(ProxyFleet.Member member, Collection<Resource> refused) {
    if (attempts.areOver(member, refused)) {
      return false; // it stays as it is
    }
    Duration pause = attempts.pause(member);
    if (!pause.isZero()) {
      wakeUp(pause);
      return false;
    }
    attempts.begin(member, refused);
    return true;
  }

  private void begin(ProxyFleet.Member member, Collection<Resource> refused, Rollout ofClass) {
    String node = member.node();
    List<ResourceId> ids = refused.stream().map(Resource::id).toList();
    StartingPoint start =
        StartingPoint.of(
            fleet, node, ids, ofClass, selections.of(node), commitsOf.apply(member.proxyClass()));
    if (start == null) {
      return; // it keeps what it has in place of what it refuses
    }
    OddFleet own =
        new OddFleet(
            fleet, member, () -> rolloutOf.apply(member.proxyClass()).baseline().snapshot());
    Rollout rollout =
        new Rollout(
            options,
            start.translation(),
            own,
            time,
            loop,
            observer,
            sanitise,
            new IncidentArchive(),
            CanaryLosses.notStored(time));
    rollout.adopt(start.objects(), List.of(), null);
    odd.put(node, new OddProxy(member, rollout, own, time.nanoTime()));
  }

  /** Looks again after some time, unless it will do so earlier. */
  private void wakeUp(Duration in) {
    long at = time.nanoTime() + in.toNanos();
    if (!waiting || at - wakesAt < 0) {
      waiting = true;
      wakesAt = at;
      time.schedule(in, () -> loop.execute(() -> woken(at)));
    }
  }

  private void woken(long at) {
    if (waiting && at == wakesAt) {
      waiting = false;
      check.run();
    }
  }

  private void end(OddProxy proxy) {
    proxy.rollout.close();
    odd.remove(proxy.member.node());
    if (proxy.isConnected()) {
      fleet.joinProxy(proxy.member.node());
    }
    proxy.rollout.holds().forEach(hold -> observer.affected(hold.key()));
  }

  /** A proxy disconnected. */
  public void left(String node) {
    OddProxy proxy = odd.get(node);
    if (proxy != null) {
      Trial trial = proxy.rollout.trial();
      if (trial != null) {
        deaths.left(node, trial.objects(), time.nanoTime());
      }
      end(proxy);
    }
  }

  /** A proxy has connected with nothing. */
  public void startedAnew(String node) {
    deaths.startedAnew(node, time.nanoTime());
  }

  /** Retries an object that an odd proxy does not get; false if each gets it. */
  public boolean retry(ObjectKey key) {
    deaths.forget(key);
    boolean held = false;
    for (OddProxy each : List.copyOf(odd.values())) {
      held |= each.rollout.retry(key);
    }
    return held;
  }

  /** Whether a proxy has a selection of its own. */
  public boolean contains(String node) {
    return odd.containsKey(node);
  }

  /** The rollouts of the proxies that have a selection of their own, by node. */
  public SortedMap<String, Rollout> rollouts() {
    SortedMap<String, Rollout> rollouts = new TreeMap<>();
    odd.forEach((node, proxy) -> rollouts.put(node, proxy.rollout));
    return rollouts;
  }

  /** What a proxy does not get, or not in the generation that its class gets. */
  public Collection<Hold> holds(String node) {
    OddProxy proxy = odd.get(node);
    return proxy == null ? List.of() : proxy.rollout.holds();
  }

  /** Whether a generation is served to an odd proxy, or will be when it connects. */
  public boolean serves(ConfigObject object) {
    return selections.has(object)
        || odd.values().stream()
            .anyMatch(each -> each.rollout.served(object.key()) == object.generation());
  }

  public void close() {
    odd.values().forEach(each -> each.rollout.close());
  }
}
