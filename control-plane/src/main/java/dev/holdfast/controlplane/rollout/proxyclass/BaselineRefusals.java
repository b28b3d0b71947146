// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.proxyclass;

import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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
      String proxyClass = entry.getKey();
      Opinions opinions =
          new Opinions(
              members.getOrDefault(proxyClass, List.of()),
              rollouts.apply(proxyClass).baseline().snapshot());
      for (Refusal refusal : entry.getValue()) {
        Resource resource = refusal.refused().resource();
        if (opinions.isRefusedByMost(resource)
            && undo.test(refusal.member().node(), refusal.refused())) {
          diverge(refusal, opinions.ofClass);
          break; // the others refuse what is no longer served
        }
        ProxyFleet.Opinion ofVoters = opinions.ofVoters(resource);
        if (ofVoters == null) {
          break; // many others refuse what nobody runs: enough for now
        }
        switch (ofVoters) {
          case RUNS -> {
            diverge(refusal);
            opinions.voters.remove(refusal.member());
          }
          case REFUSED, UNCONCERNED -> {
            if (isBehind.test(proxyClass)) {
              found.putIfAbsent(proxyClass, refusal.refused());
            } else if (awaited.areAll(proxyClass)) {
              // It keeps what it has: it may be any of those that come back, or none of them.
            } else if (awaited.areAtLeast(opinions.refusing(resource), proxyClass)) {
              diverge(refusal);
              opinions.voters.remove(refusal.member());
            } else {
              found.putIfAbsent(proxyClass, refusal.refused());
            }
          }
          case OPEN -> {
            // Others of the class have yet to answer. A class that never accepted the baseline does
            // not wait for them: meanwhile this proxy would be sent what refers to what it refused.
            if (isBehind.test(proxyClass)) {
              found.putIfAbsent(proxyClass, refusal.refused());
            }
          }
        }
      }
    }
    return found;
  }

  /**
   * What the proxies of a class make of resources that some of them refuse. However many refuse
   * something of their own, each proxy is asked about few of these resources.
   */
  private final class Opinions {
    /** About so many resources that no voter runs all voters are asked at a time. */
    private static final int MOST_SCANS = 16;

    final List<ProxyFleet.Member> ofClass;

    /** Those that have not diverged. */
    final Set<ProxyFleet.Member> voters = new LinkedHashSet<>();

    /** How many refuse each resource of the baseline. */
    private final Map<Resource, Integer> refusing = new HashMap<>();

    private final Map<Resource, ProxyFleet.Opinion> ofVoters = new HashMap<>();
    private int scans;

    Opinions(List<ProxyFleet.Member> ofClass, Snapshot baseline) {
      this.ofClass = ofClass;
      for (ProxyFleet.Member member : ofClass) {
        if (!diverged.contains(member.node())) {
          voters.add(member);
        }
        fleet
            .refused(member.node(), baseline)
            .forEach(resource -> refusing.merge(resource, 1, Integer::sum));
      }
    }

    /** How many proxies refuse a resource. */
    int refusing(Resource resource) {
      return refusing.getOrDefault(resource, 1);
    }

    /** Whether more proxies refuse a resource than may run it, and some run it. */
    boolean isRefusedByMost(Resource resource) {
      int most = refusing(resource);
      int refused = 0;
      int runs = 0;
      int open = 0;
      for (ProxyFleet.Member member : ofClass) {
        switch (fleet.opinion(member.node(), resource)) {
          case REFUSED -> refused++;
          case RUNS -> runs++;
          case OPEN -> open += isOdd.test(member.node()) ? 0 : 1; // it is shown something else
          case UNCONCERNED -> {}
        }
        if (runs + open >= most) {
          return false;
        }
      }
      return runs > 0 && refused > runs + open;
    }

    /**
     * What those make of it that have not diverged: {@code RUNS} if one runs it, {@code OPEN} if
     * one has yet to answer, else {@code REFUSED}; null if too many were asked already.
     */
    ProxyFleet.@Nullable Opinion ofVoters(Resource resource) {
      ProxyFleet.Opinion known = ofVoters.get(resource);
      if (known == null && scans < MOST_SCANS) {
        known = ask(resource);
        ofVoters.put(resource, known);
        scans += known == ProxyFleet.Opinion.RUNS ? 0 : 1;
      }
      return known;
    }

    private ProxyFleet.Opinion ask(Resource resource) {
      ProxyFleet.Opinion all = ProxyFleet.Opinion.REFUSED;
      for (ProxyFleet.Member member : voters) {
        ProxyFleet.Opinion opinion = fleet.opinion(member.node(), resource);
        if (opinion == ProxyFleet.Opinion.RUNS) {
          return opinion;
        }
        all = opinion == ProxyFleet.Opinion.OPEN ? opinion : all;
      }
      return all;
    }
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
