// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Function;

/** Finds proxies and classes of them that refuse what they are served. */
public final class BaselineRefusals {
  private final ProxyFleet stages;
  private final DivergedProxies divergence;

  public BaselineRefusals(ProxyFleet stages, DivergedProxies divergence) {
    this.stages = stages;
    this.divergence = divergence;
  }

  private record Refusal(ProxyFleet.Member member, Verdict.Refused refused) {}

  /**
   * The classes that refuse the base of their rollout, each with what one of them said. Single
   * proxies that do so while others of their class run it have diverged, and are noted.
   */
  public SortedMap<String, Verdict.Refused> refusingBase(Function<String, Rollout> rollouts) {
    SortedMap<String, List<Refusal>> refusals = new TreeMap<>();
    for (ProxyFleet.Member member : stages.refusing()) {
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

  private Verdict verdict(ProxyFleet.Member member, Function<String, Rollout> rollouts) {
    return stages.verdict(member.node(), rollouts.apply(member.proxyClass())::excuses);
  }

  /** What the other proxies of the class make of what one refused. */
  private ProxyFleet.Opinion others(Refusal refusal) {
    boolean open = false;
    for (ProxyFleet.Member other : stages.members()) {
      if (other.proxyClass().equals(refusal.member().proxyClass())
          && !other.node().equals(refusal.member().node())
          && !divergence.contains(other.node())) {
        ProxyFleet.Opinion opinion = stages.opinion(other.node(), refusal.refused().resource());
        if (opinion == ProxyFleet.Opinion.RUNS) {
          return opinion;
        }
        open |= opinion == ProxyFleet.Opinion.OPEN;
      }
    }
    return open ? ProxyFleet.Opinion.OPEN : ProxyFleet.Opinion.REFUSED;
  }

  /** The first class that refuses what it tries together with others; empty if none does. */
  public SortedMap<String, Verdict.Refused> refusingTrial(
      Trial trial, SortedSet<String> voting, Function<String, Rollout> rollouts) {
    SortedMap<String, Verdict.Refused> found = new TreeMap<>();
    boolean all = trial.canaries().isEmpty();
    if ((all ? voting : trial.canaries().keySet()).size() < 2) {
      return found;
    }
    for (ProxyFleet.Member member : stages.refusing()) {
      boolean tries =
          all
              ? voting.contains(member.proxyClass()) && !divergence.contains(member.node())
              : trial.canaries().containsValue(member.node());
      if (tries
          && found.isEmpty()
          && verdict(member, rollouts) instanceof Verdict.Refused refused) {
        found.put(member.proxyClass(), refused);
      }
    }
    return found;
  }
}
