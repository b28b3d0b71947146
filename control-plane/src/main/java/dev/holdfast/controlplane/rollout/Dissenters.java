// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;

/** Finds proxies and classes of them that refuse what they are served. */
final class Dissenters {
  private final Stages stages;
  private final Divergence divergence;

  Dissenters(Stages stages, Divergence divergence) {
    this.stages = stages;
    this.divergence = divergence;
  }

  private record Refusal(Stages.Member member, Verdict.Refused refused) {}

  /**
   * The classes that refuse the base of their rollout, each with what one of them said. Single
   * proxies that do so while others of their class run it have diverged, and are noted.
   */
  SortedMap<String, Verdict.Refused> refusingBase(Function<String, Rollout> rollouts) {
    SortedMap<String, List<Refusal>> refusals = new TreeMap<>();
    for (Stages.Member member : stages.refusing()) {
      if (!divergence.contains(member.node())
          && verdict(member, rollouts) instanceof Verdict.Refused refused
          && rollouts.apply(member.proxyClass()).refusesBase(refused)) {
        refusals
            .computeIfAbsent(member.proxyClass(), unused -> new ArrayList<>())
            .add(new Refusal(member, refused));
      }
    }
    SortedMap<String, Verdict.Refused> found = new TreeMap<>();
    for (Map.Entry<String, List<Refusal>> entry : refusals.entrySet()) {
      for (Refusal refusal : entry.getValue()) {
        switch (others(refusal)) {
          case RUNS -> divergence.add(refusal.member(), refusal.refused());
          case REFUSED, UNCONCERNED -> found.putIfAbsent(entry.getKey(), refusal.refused());
          case OPEN -> {} // until they have said something
        }
      }
    }
    return found;
  }

  private Verdict verdict(Stages.Member member, Function<String, Rollout> rollouts) {
    return stages.verdict(member.node(), rollouts.apply(member.proxyClass())::excuses);
  }

  /** What the other proxies of the class make of what one refused. */
  private Stages.Opinion others(Refusal refusal) {
    boolean open = false;
    for (Stages.Member other : stages.members()) {
      if (other.proxyClass().equals(refusal.member().proxyClass())
          && !other.node().equals(refusal.member().node())
          && !divergence.contains(other.node())) {
        Stages.Opinion opinion = stages.opinion(other.node(), refusal.refused().resource());
        if (opinion == Stages.Opinion.RUNS) {
          return opinion;
        }
        open |= opinion == Stages.Opinion.OPEN;
      }
    }
    return open ? Stages.Opinion.OPEN : Stages.Opinion.REFUSED;
  }

  /** The first class that refuses what it tries together with others; empty if none does. */
  SortedMap<String, Verdict.Refused> refusingTrial(
      Trial trial, SortedSet<String> voting, Function<String, Rollout> rollouts) {
    SortedMap<String, Verdict.Refused> found = new TreeMap<>();
    boolean all = trial.canaries.isEmpty();
    if ((all ? voting : trial.canaries.keySet()).size() < 2) {
      return found;
    }
    for (Stages.Member member : stages.refusing()) {
      boolean tries =
          all
              ? voting.contains(member.proxyClass()) && !divergence.contains(member.node())
              : trial.canaries.containsValue(member.node());
      if (tries
          && found.isEmpty()
          && verdict(member, rollouts) instanceof Verdict.Refused refused) {
        found.put(member.proxyClass(), refused);
      }
    }
    return found;
  }
}
