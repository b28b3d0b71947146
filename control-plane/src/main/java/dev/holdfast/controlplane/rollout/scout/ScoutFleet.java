// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.scout;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.rollout.fleet.Departures;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.time.Duration;
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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The scouts that are asked: those of a class that the fleet has. Each is shown a selection of its
 * own in place of that of its class. Loop only.
 */
final class ScoutFleet implements TrialFleet {
  /** A scout that ran everything so lately is about to answer, or to go on. */
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final ProxyFleet fleet;
  private final Departures departures;
  private final TimeSource time;
  private final @Nullable ScoutProbes probes;

  /** By node, those that are asked. */
  private final Map<String, ProxyFleet.Member> asked = new LinkedHashMap<>();

  /** Those that disagree with the fleet, until they connect again, and why. */
  private final SortedMap<String, Diverged> diverged = new TreeMap<>();

  /** When each last ran everything that it was shown, by its connection. */
  private final Map<Long, Long> lastSettled = new HashMap<>();

  /** What each was shown last, by its connection. */
  private final Map<Long, Snapshot> shown = new HashMap<>();

  private final EndedScouts ended;

  private Predicate<Resource> excused = resource -> false;
  private @Nullable Snapshot baseline;
  private @Nullable Snapshot trial;

  /** The nodes that try something, and their connection when that began. */
  private final Map<String, Long> canaries = new HashMap<>();

  private record Diverged(ProxyFleet.Member member, String message) {}

  /**
   * @param probes null if scouts are not probed
   */
  ScoutFleet(
      ProxyFleet fleet, Departures departures, TimeSource time, @Nullable ScoutProbes probes) {
    this.probes = probes;
    this.fleet = fleet;
    this.departures = departures;
    this.time = time;
    this.ended = new EndedScouts(time);
  }

  /**
   * These scouts are connected.
   *
   * @param isOfUse whether a class is that of somebody who is served
   */
  void refresh(Collection<ProxyFleet.Member> connected, Predicate<String> isOfUse) {
    Map<String, ProxyFleet.Member> before = new LinkedHashMap<>(asked);
    asked.clear();
    Set<Long> connections = new HashSet<>();
    diverged.values().removeIf(each -> !connected.contains(each.member()));
    for (ProxyFleet.Member member : connected) {
      connections.add(member.connection());
      if (isOfUse.test(member.proxyClass()) && !diverged.containsKey(member.node())) {
        asked.put(member.node(), member);
        if (isSettled(member)) {
          lastSettled.put(member.connection(), time.nanoTime());
        }
      } else if (before.containsKey(member.node())) {
        fleet.joinProxy(member.node());
        shown.remove(member.connection());
      }
    }
    for (ProxyFleet.Member back : ended.refresh(asked.values(), this::isSettled)) {
      // It takes the part of the process before it.
      canaries.computeIfPresent(back.node(), (node, connection) -> back.connection());
    }
    lastSettled.keySet().retainAll(connections);
    shown.keySet().retainAll(connections);
    if (probes != null) {
      probes.retain(connections);
    }
  }

  private boolean isSettled(ProxyFleet.Member member) {
    return fleet.verdict(member.node(), excused) instanceof Verdict.Accepted;
  }

  boolean isEmpty() {
    return asked.isEmpty();
  }

  /** Whether requests are under way through one of them. */
  boolean isProbing() {
    return probes != null && probes.isBusy();
  }

  /** A scout is ended because of what requests through it have found. */
  void ending(ProxyFleet.Member member) {
    ended.add(member);
  }

  /** Whether a scout is waited for that was ended. */
  boolean isAnyAway() {
    return ended.isAnyAway();
  }

  /** Whether this one is waited for. */
  boolean isAway(String node) {
    return ended.isAway(node);
  }

  Collection<ProxyFleet.Member> asked() {
    return asked.values();
  }

  /** Whether somebody is there to ask: it runs what it is shown, or did so a moment ago. */
  boolean isWell() {
    long now = time.nanoTime();
    return ended.isAnyAway() || asked.values().stream().anyMatch(member -> isWell(member, now));
  }

  private boolean isWell(ProxyFleet.Member member, long now) {
    Long last = lastSettled.get(member.connection());
    return isSettled(member) || (last != null && now - last < GRACE.toNanos());
  }

  /** Whether a scout is there and can be asked. */
  boolean isWell(String node) {
    ProxyFleet.Member member = asked.get(node);
    return member != null && isWell(member, time.nanoTime());
  }

  /** Why a scout disagrees with the fleet; null if it does not. */
  @Nullable String divergence(String node) {
    Diverged found = diverged.get(node);
    return found == null ? null : found.message();
  }

  /** A scout refuses what proxies of its class run, or the other way around. */
  void diverge(ProxyFleet.Member member, String message) {
    diverged.put(member.node(), new Diverged(member, message));
    asked.remove(member.node());
    shown.remove(member.connection());
    fleet.joinProxy(member.node());
  }

  /** All are shown what their class is shown. */
  void end() {
    asked.keySet().forEach(fleet::joinProxy);
    shown.clear();
    canaries.clear();
    ended.clear();
    baseline = null;
    trial = null;
  }

  @Override
  public void show(Snapshot served, Set<String> nodes, Snapshot tried) {
    Set<String> gone = new HashSet<>(canaries.keySet());
    gone.removeAll(nodes);
    canaries.keySet().removeAll(gone);
    boolean isNew = !tried.equals(trial);
    for (String node : nodes) {
      ProxyFleet.Member member = asked.get(node);
      if (isNew || !canaries.containsKey(node)) {
        boolean isThere = member != null && !ended.isAway(node);
        canaries.put(node, member != null && isThere ? member.connection() : -1);
      }
    }
    baseline = served;
    trial = tried;
    publish();
  }

  /** Shows all what they should see: some may have just connected. */
  @SuppressWarnings("ReferenceEquality") // the same snapshot is shown once
  void publish() {
    Snapshot served = baseline;
    Snapshot tried = trial;
    if (served == null || tried == null) {
      return;
    }
    for (ProxyFleet.Member member : List.copyOf(asked.values())) {
      boolean tries = isCanary(member);
      Snapshot next = tries ? tried : served;
      if (shown.put(member.connection(), next) != next) {
        fleet.showProxy(member.node(), next, null, tries);
      }
    }
  }

  private boolean isCanary(ProxyFleet.Member member) {
    Long connection = canaries.get(member.node());
    return connection != null && connection == member.connection();
  }

  @Override
  public Collection<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>();
    for (ProxyFleet.Member member : asked.values()) {
      if (!ended.isEnded(member)) {
        candidates.add(
            new Candidate(
                member.node(), member.proxyClass(), isSettled(member), /* adopted= */ false));
      }
    }
    return candidates;
  }

  @Override
  public Verdict verdict(String node, Predicate<Resource> known) {
    ProxyFleet.Member member = asked.get(node);
    if (ended.isAway(node) && (member == null || !isCanary(member))) {
      return Verdict.PROBED;
    }
    boolean isFormerCanary = member != null && canaries.containsKey(node) && !isCanary(member);
    if (member == null || isFormerCanary) {
      return Verdict.GONE;
    }
    Verdict verdict = fleet.verdict(node, excused.or(known));
    if (verdict.kind() == Verdict.Kind.OPEN && ended.isJustBack(node)) {
      return Verdict.PROBED;
    }
    Snapshot before = baseline;
    Snapshot tried = trial;
    return verdict.kind() == Verdict.Kind.ACCEPTED
            && probes != null
            && before != null
            && tried != null
            && isCanary(member)
        ? probes.verdict(member, before, tried)
        : verdict;
  }

  @Override
  public boolean isConnected(String node) {
    ProxyFleet.Member member = asked.get(node);
    return member != null && (!canaries.containsKey(node) || isCanary(member));
  }

  @Override
  public boolean isAlive(String node, boolean wasSilent) {
    return (wasSilent && verdict(node).kind() == Verdict.Kind.ACCEPTED)
        || fleet.wasRunningOnConnect(node);
  }

  /** Scouts of one class disagree with each other. */
  @Override
  public void diverged(String node, Resource resource, boolean accepts, String message) {
    ProxyFleet.Member member = asked.get(node);
    if (member != null) {
      diverge(member, message);
    }
  }

  @Override
  public boolean leftWithOthers(long at, Collection<String> nodes) {
    return departures.wereMany(at, nodes, fleet.members().size(), fleet::wasRunningOnConnect);
  }

  @Override
  public ScoutProbe.@Nullable ProcessEnd end(String node, long at) {
    return probes == null ? null : probes.end(node, time.now().minusNanos(time.nanoTime() - at));
  }

  @Override
  public void excuse(Predicate<Resource> what) {
    excused = what;
  }

  @Override
  public boolean counts(Evidence evidence) {
    return true;
  }
}
