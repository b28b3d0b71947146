// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The proxies that belong to one rollout and have a say in it. */
final class ClassStage implements Stage {
  private final Stages stages;
  private final RollCall roll;
  private final Divergence divergence;
  private final @Nullable String proxyClass;
  private final Predicate<String> mine;
  private Predicate<Resource> excused = resource -> false;

  /**
   * @param proxyClass the only class of the rollout; null if it is that of all others
   * @param mine tells which classes it is of
   */
  ClassStage(
      Stages stages,
      RollCall roll,
      Divergence divergence,
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
    for (Stages.Member member : stages.members()) {
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

  private boolean hasASay(Stages.@Nullable Member member) {
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
  public boolean counts(Certificate certificate) {
    return mine.test(certificate.proxyClass()) && roll.counts(certificate);
  }
}
