// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.snapshot.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds proxies, and whole classes of proxies, that refuse their baseline or a trial. */
public final class BaselineRefusals {
  private final ProxyFleet fleet;
  private final DivergedProxies diverged;
  private final AwaitedProxies awaited;
  private final Predicate<String> isOdd;

  /**
   * @param isOdd whether a proxy has a selection of its own
   */
  public BaselineRefusals(
      ProxyFleet fleet, DivergedProxies diverged, AwaitedProxies awaited, Predicate<String> isOdd) {
    this.awaited = awaited;
    this.fleet = fleet;
    this.diverged = diverged;
    this.isOdd = isOdd;
  }

  private record Refusal(ProxyFleet.Member member, Verdict.Refused refused) {}

  /**
   * The classes that refuse the baseline of their rollout, each with the verdict of one proxy.
   * Single proxies that refuse it while others of their class run it, or ran it a moment ago, are
   * recorded as diverged.
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
    if (refusals.isEmpty()) {
      return found;
    }
    Map<String, List<ProxyFleet.Member>> members =
        fleet.members().stream().collect(Collectors.groupingBy(ProxyFleet.Member::proxyClass));
    for (Map.Entry<String, List<Refusal>> entry : refusals.entrySet()) {
      List<ProxyFleet.Member> ofClass = members.getOrDefault(entry.getKey(), List.of());
      Map<Resource, Opinions> opinions = new HashMap<>();
      for (Refusal refusal : entry.getValue()) {
        Opinions all =
            opinions.computeIfAbsent(
                refusal.refused().resource(), resource -> opinions(ofClass, resource));
        if (all.isRefusedByMost() && undo.test(refusal.member().node(), refusal.refused())) {
          diverge(refusal, ofClass);
          break; // the others refuse what is no longer served
        }
        switch (all.ofVoters()) {
          case RUNS -> diverge(refusal);
          case REFUSED, UNCONCERNED -> {
            if (!isBehind.test(entry.getKey())
                && awaited.areAtLeast(all.refused(), entry.getKey())) {
              diverge(refusal);
            } else {
              found.putIfAbsent(entry.getKey(), refusal.refused());
            }
          }
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

  /**
   * What the proxies of a class make of a resource that one of them refuses.
   *
   * @param ofVoters what those make of it that have not diverged: {@code RUNS} if one runs it,
   *     {@code OPEN} if one has yet to answer, else {@code REFUSED}
   */
  private record Opinions(int refused, int runs, int open, ProxyFleet.Opinion ofVoters) {
    /** Whether more proxies refuse it than may run it. */
    boolean isRefusedByMost() {
      return runs > 0 && refused > runs + open;
    }
  }

  /** Each proxy is asked once, however many of them refuse the resource. */
  private Opinions opinions(List<ProxyFleet.Member> ofClass, Resource resource) {
    int refused = 0;
    int runs = 0;
    int open = 0;
    ProxyFleet.Opinion ofVoters = ProxyFleet.Opinion.REFUSED;
    for (ProxyFleet.Member member : ofClass) {
      ProxyFleet.Opinion opinion = fleet.opinion(member.node(), resource);
      switch (opinion) {
        case REFUSED -> refused++;
        case RUNS -> runs++;
        case OPEN -> open += isOdd.test(member.node()) ? 0 : 1; // it is shown something else
        case UNCONCERNED -> {}
      }
      boolean decides =
          opinion == ProxyFleet.Opinion.RUNS
              || (opinion == ProxyFleet.Opinion.OPEN && ofVoters != ProxyFleet.Opinion.RUNS);
      if (decides && !diverged.contains(member.node())) {
        ofVoters = opinion;
      }
    }
    return new Opinions(refused, runs, open, ofVoters);
  }

  /** One that refuses what the others of its class run. */
  private void diverge(Refusal refusal) {
    diverged.add(
        refusal.member(),
        refusal.refused().resource().id(),
        /* accepts= */ false,
        refusal.refused().message());
  }

  /** Those who run what most refuse have diverged, and those who refuse it have not. */
  private void diverge(Refusal refusal, List<ProxyFleet.Member> ofClass) {
    Verdict.Refused refused = refusal.refused();
    diverged.areRight(refused.proxyClass(), refused.resource().id());
    for (ProxyFleet.Member member : ofClass) {
      if (!diverged.contains(member.node())
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
