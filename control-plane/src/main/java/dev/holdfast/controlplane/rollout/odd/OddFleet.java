// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.ProxyFleet;
import dev.holdfast.controlplane.rollout.fleet.TrialFleet;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The only proxy of a rollout. Until it is known what it cannot run, it keeps the version of its
 * class of each resource of which it runs that: so the search takes nothing away from it, whatever
 * it leaves out. After that it is shown its own selection.
 */
final class OddFleet implements TrialFleet {
  private final ProxyFleet fleet;
  private final ProxyFleet.Member member;
  private final Supplier<Snapshot> ofClass;
  private final Set<ResourceId> deviating = new HashSet<>();
  private Predicate<Resource> excused = resource -> false;
  private boolean whole;
  private boolean onTrial;
  private boolean provisional;
  private Snapshot shown = Snapshot.empty();
  private @Nullable Shown last;

  /**
   * @param only the resources of which it is shown its own version; null for all
   */
  private record Shown(Snapshot selection, @Nullable Set<ResourceId> only, boolean onTrial) {}

  /**
   * @param ofClass gives the baseline of its class
   */
  OddFleet(ProxyFleet fleet, ProxyFleet.Member member, Supplier<Snapshot> ofClass) {
    this.fleet = fleet;
    this.member = member;
    this.ofClass = ofClass;
  }

  /** Whether it is still connected, without an interruption. */
  boolean isConnected() {
    return member.equals(fleet.member(member.node()));
  }

  /** Until the next search it is shown its own selection. */
  void showWhole() {
    whole = true;
    publish();
  }

  /**
   * A search begins, for what its class has got. A step may bring it the version of its class of a
   * resource, and the next step may be without some of that: it keeps what it runs meanwhile.
   *
   * @return false if one is under way
   */
  boolean searching() {
    boolean begins = whole;
    whole = false;
    return begins;
  }

  @Override
  public void show(Snapshot baseline, Set<String> canaries, Snapshot trial) {
    onTrial = canaries.contains(member.node());
    shown = onTrial ? trial : baseline;
    publish();
  }

  /**
   * It refuses a part of its selection, and will be shown another one: until then it is not sent
   * what needs that part, as a canary is not.
   */
  void awaitAnother() {
    provisional = true;
    publish();
  }

  /** There will be no other selection: it gets all of this one that it accepts. */
  void stay() {
    provisional = false;
    publish();
  }

  /** It may have answered, or its class is served something else. */
  void publish() {
    Shown next = new Shown(shown, whole ? null : deviating(), onTrial || provisional);
    if (!next.equals(last)) {
      last = next;
      fleet.showProxy(member.node(), next.selection(), next.only(), next.onTrial());
    }
  }

  /**
   * The resources of which it does not run the version of its class. A trial may have brought it
   * that version, and may end before it has answered: then it keeps it, too.
   */
  private Set<ResourceId> deviating() {
    Snapshot.diff(
        ofClass.get(),
        shown,
        (id, theirs, own) -> {
          if (theirs == null || !fleet.mayRun(member.node(), theirs)) {
            deviating.add(id);
          } else {
            deviating.remove(id);
          }
        });
    return Set.copyOf(deviating);
  }

  @Override
  public Collection<Candidate> candidates() {
    return isConnected()
        ? List.of(
            new Candidate(
                member.node(),
                member.proxyClass(),
                verdict(member.node()) instanceof Verdict.Accepted,
                /* adopted= */ false))
        : List.of();
  }

  /** What it refuses of the selection of its class says nothing about its own. */
  @Override
  public Verdict verdict(String node, Predicate<Resource> known) {
    return node.equals(member.node()) && isConnected()
        ? fleet.verdict(
            node, excused.or(known).or(resource -> !resource.equals(shown.get(resource.id()))))
        : Verdict.GONE;
  }

  @Override
  public boolean isConnected(String node) {
    return node.equals(member.node()) && isConnected();
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
