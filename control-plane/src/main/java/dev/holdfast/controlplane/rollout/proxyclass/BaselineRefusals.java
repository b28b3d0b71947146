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
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;

/** Finds proxies, and whole classes of proxies, that refuse their baseline or a trial. */
public final class BaselineRefusals {
  private final ProxyFleet fleet;
  private final DivergedProxies diverged;

  public BaselineRefusals(ProxyFleet fleet, DivergedProxies diverged) {
    this.fleet = fleet;
    this.diverged = diverged;
  }

  private record Refusal(ProxyFleet.Member member, Verdict.Refused refused) {}

  /**
   * The classes that refuse the baseline of their rollout, each with the verdict of one proxy.
   * Single proxies that refuse it while others of their class run it are recorded as diverged.
   *
   * @param isBehind whether a class was away when others accepted the baseline
   * @param undo goes back to what was served before, if most proxies of a class refuse what some
   *     run; false if that is not known any more
   */
  public SortedMap<String, Verdict.Refused> refusingBaseline(
      Function<String, Rollout> rollouts,
      Predicate<String> isBehind,
      BiPredicate<String, Verdict.Refused> undo) {
    SortedMap<String, List<Refusal>> refusals = new TreeMap<>();
    for (ProxyFleet.Member member : fleet.refusing()) {
      if (!diverged.contains(member.node())
          && verdict(member, rollouts) instanceof Verdict.Refused refused
          && rollouts.apply(member.proxyClass()).refusesBaseline(refused)) {
        refusals
            .computeIfAbsent(member.proxyClass(), unused -> new ArrayList<>())
            .add(new Refusal(member, refused));
      }
    }
    SortedMap<String, Verdict.Refused> found = new TreeMap<>();
    for (Map.Entry<String, List<Refusal>> entry : refusals.entrySet()) {
      for (Refusal refusal : entry.getValue()) {
        if (isOfMost(refusal) && undo.test(refusal.member().node(), refusal.refused())) {
          diverge(refusal);
          break; // the others refuse what is no longer served
        }
        switch (others(refusal)) {
          case RUNS ->
              diverged.add(
                  refusal.member(),
                  refusal.refused().resource().id(),
                  /* accepts= */ false,
                  refusal.refused().message());
          case REFUSED, UNCONCERNED -> found.putIfAbsent(entry.getKey(), refusal.refused());
          case OPEN -> {
            // Others of the class have yet to answer. A class that never accepted the baseline does
            // not wait for them: meanwhile this proxy would be sent what refers to what it refused.
            if (isBehind.test(entry.getKey())) {
              found.putIfAbsent(entry.getKey(), refusal.refused());
            }
          }
        }
      }
    }
    return found;
  }

  /** Whether more proxies of a class refuse a resource than may run it. */
  private boolean isOfMost(Refusal refusal) {
    int refused = 0;
    int others = 0;
    boolean any = false;
    for (ProxyFleet.Member member : fleet.members()) {
      if (member.proxyClass().equals(refusal.member().proxyClass())) {
        switch (fleet.opinion(member.node(), refusal.refused().resource())) {
          case REFUSED -> refused++;
          case RUNS -> {
            others++;
            any = true;
          }
          case OPEN -> others++;
          case UNCONCERNED -> {}
        }
      }
    }
    return any && refused > others;
  }

  /** Those who run what most refuse have diverged, and those who refuse it have not. */
  private void diverge(Refusal refusal) {
    Verdict.Refused refused = refusal.refused();
    diverged.areRight(refused.proxyClass(), refused.resource().id());
    for (ProxyFleet.Member member : fleet.members()) {
      if (member.proxyClass().equals(refused.proxyClass())
          && !diverged.contains(member.node())
          && fleet.opinion(member.node(), refused.resource()) == ProxyFleet.Opinion.RUNS) {
        diverged.add(
            member,
            refused.resource().id(),
            /* accepts= */ true,
            "accepts what other proxies of its class refuse: " + refused.message());
      }
    }
  }

  private Verdict verdict(ProxyFleet.Member member, Function<String, Rollout> rollouts) {
    return fleet.verdict(member.node(), rollouts.apply(member.proxyClass())::excuses);
  }

  /** What the other proxies of the class make of a refused resource. */
  private ProxyFleet.Opinion others(Refusal refusal) {
    boolean open = false;
    for (ProxyFleet.Member other : fleet.members()) {
      if (other.proxyClass().equals(refusal.member().proxyClass())
          && !other.node().equals(refusal.member().node())
          && !diverged.contains(other.node())) {
        ProxyFleet.Opinion opinion = fleet.opinion(other.node(), refusal.refused().resource());
        if (opinion == ProxyFleet.Opinion.RUNS) {
          return opinion;
        }
        open |= opinion == ProxyFleet.Opinion.OPEN;
      }
    }
    return open ? ProxyFleet.Opinion.OPEN : ProxyFleet.Opinion.REFUSED;
  }

  /** The first class that refuses a trial it takes part in with others; empty if none does. */
  public SortedMap<String, Verdict.Refused> refusingTrial(
      Trial trial, SortedSet<String> voting, Function<String, Rollout> rollouts) {
    SortedMap<String, Verdict.Refused> found = new TreeMap<>();
    boolean all = trial.canaries().isEmpty();
    if ((all ? voting : trial.canaries().keySet()).size() < 2) {
      return found;
    }
    for (ProxyFleet.Member member : fleet.refusing()) {
      boolean tries =
          all
              ? voting.contains(member.proxyClass()) && !diverged.contains(member.node())
              : trial.nodes().contains(member.node());
      if (tries
          && found.isEmpty()
          && verdict(member, rollouts) instanceof Verdict.Refused refused) {
        found.put(member.proxyClass(), refused);
      }
    }
    return found;
  }
}
