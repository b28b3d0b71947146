// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.controlplane.rollout.fleet.Departures;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The proxies that belong to one rollout and may vote in it. */
public final class ClassFleet implements TrialFleet {
  private final ProxyFleet fleet;
  private final ClassRegistry classes;
  private final DivergedProxies diverged;
  private final Departures departures;
  private final @Nullable String proxyClass;
  private final Predicate<String> mine;
  private Predicate<Resource> excused = resource -> false;

  /**
   * @param proxyClass the class of a separate rollout; null for the common one
   * @param mine whether a class belongs to the rollout
   */
  public ClassFleet(
      ProxyFleet fleet,
      ClassRegistry classes,
      DivergedProxies diverged,
      Departures departures,
      @Nullable String proxyClass,
      Predicate<String> mine) {
    this.fleet = fleet;
    this.classes = classes;
    this.diverged = diverged;
    this.departures = departures;
    this.proxyClass = proxyClass;
    this.mine = mine;
  }

  @Override
  public Collection<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>();
    for (ProxyFleet.Member member : fleet.members()) {
      if (mayVote(member)) {
        candidates.add(
            new Candidate(
                member.node(),
                member.proxyClass(),
                fleet.verdict(member.node(), excused) instanceof Verdict.Accepted,
                fleet.isAdopted(member.node())));
      }
    }
    return candidates;
  }

  private boolean mayVote(ProxyFleet.@Nullable Member member) {
    return member != null
        && mine.test(member.proxyClass())
        && (proxyClass != null || classes.hasSay(member.proxyClass()))
        && !diverged.contains(member.node());
  }

  @Override
  public void show(Snapshot baseline, Set<String> canaries, Snapshot trial) {
    if (proxyClass == null) {
      fleet.show(baseline, canaries, trial);
    } else {
      fleet.showClass(proxyClass, baseline, canaries, trial);
    }
  }

  @Override
  public Verdict verdict(String node, Predicate<Resource> known) {
    return mayVote(fleet.member(node)) ? fleet.verdict(node, excused.or(known)) : Verdict.GONE;
  }

  @Override
  public boolean isConnected(String node) {
    return fleet.member(node) != null && !fleet.isFormerCanary(node);
  }

  @Override
  public boolean isAlive(String node, boolean wasSilent) {
    return (wasSilent && verdict(node).kind() == Verdict.Kind.ACCEPTED)
        || fleet.wasRunningOnConnect(node);
  }

  @Override
  public void diverged(String node, Resource resource, boolean accepts, String message) {
    ProxyFleet.Member member = fleet.member(node);
    if (member != null) {
      String what =
          accepts ? "accepts what other proxies of its class refuse: " + message : message;
      diverged.add(member, resource.id(), accepts, what);
    }
  }

  @Override
  public boolean wasPassing(String node, long shown) {
    return departures.wasPassing(node, shown);
  }

  @Override
  public boolean leftWithOthers(long at, Collection<String> canaries) {
    return departures.wereMany(at, canaries, fleet.members().size(), fleet::wasRunningOnConnect);
  }

  @Override
  public void excuse(Predicate<Resource> what) {
    excused = what;
  }

  @Override
  public boolean tookPart(String name) {
    return classes.isKnown(name);
  }

  @Override
  public boolean counts(Evidence evidence) {
    return mine.test(evidence.proxyClass()) && classes.counts(evidence);
  }
}
