// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

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

/** The proxies that belong to one rollout and have a say in it. */
public final class ClassFleet implements TrialFleet {
  private final ProxyFleet stages;
  private final ClassRegistry roll;
  private final DivergedProxies divergence;
  private final @Nullable String proxyClass;
  private final Predicate<String> mine;
  private Predicate<Resource> excused = resource -> false;

  /**
   * @param proxyClass the only class of the rollout; null if it is that of all others
   * @param mine tells which classes it is of
   */
  public ClassFleet(
      ProxyFleet stages,
      ClassRegistry roll,
      DivergedProxies divergence,
      @Nullable String proxyClass,
      Predicate<String> mine) {
    this.stages = stages;
    this.roll = roll;
    this.divergence = divergence;
    this.proxyClass = proxyClass;
    this.mine = mine;
  }

  @Override
  public Collection<Candidate> candidates() {
    List<Candidate> candidates = new ArrayList<>();
    for (ProxyFleet.Member member : stages.members()) {
      if (hasASay(member)) {
        candidates.add(
            new Candidate(
                member.node(),
                member.proxyClass(),
                stages.verdict(member.node(), excused) instanceof Verdict.Accepted,
                stages.isAdopted(member.node())));
      }
    }
    return candidates;
  }

  private boolean hasASay(ProxyFleet.@Nullable Member member) {
    return member != null && mine.test(member.proxyClass()) && !divergence.contains(member.node());
  }

  @Override
  public void show(Snapshot baseline, Set<String> canaries, Snapshot trial) {
    if (proxyClass == null) {
      stages.show(baseline, canaries, trial);
    } else {
      stages.showClass(proxyClass, baseline, canaries, trial);
    }
  }

  @Override
  public Verdict verdict(String node, Predicate<Resource> known) {
    return hasASay(stages.member(node)) ? stages.verdict(node, excused.or(known)) : Verdict.GONE;
  }

  @Override
  public void excuse(Predicate<Resource> what) {
    excused = what;
  }

  @Override
  public boolean tookPart(String name) {
    return roll.isKnown(name);
  }

  @Override
  public boolean counts(Evidence certificate) {
    return mine.test(certificate.proxyClass()) && roll.counts(certificate);
  }
}
