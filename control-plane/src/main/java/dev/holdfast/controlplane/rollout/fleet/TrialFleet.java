// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The proxies of one rollout: the candidates for canaries, and their verdicts. */
public interface TrialFleet {
  /** The connected proxies that may vote. */
  Collection<Candidate> candidates();

  /**
   * A proxy that may become a canary.
   *
   * @param settled whether it runs everything that it is shown
   * @param adopted whether it connected with content that this server does not know
   */
  record Candidate(String node, String proxyClass, boolean settled, boolean adopted) {}

  /** Shows the trial to the canaries, and the baseline to all other proxies, now and later. */
  void show(Snapshot baseline, Set<String> canaries, Snapshot trial);

  /** The verdict of a proxy on what it is shown. */
  default Verdict verdict(String node) {
    return verdict(node, nothing -> false);
  }

  /**
   * The verdict of a proxy on what it is shown.
   *
   * @param known resources that it may refuse, in addition to those that do not count at all
   */
  Verdict verdict(String node, Predicate<Resource> known);

  /** Whether a proxy is connected, whether it may vote or not. */
  default boolean isConnected(String node) {
    return false;
  }

  /**
   * Whether a proxy that was lost lives: it has connected again and runs what it ran before, or it
   * was only silent and has answered since.
   */
  default boolean isAlive(String node, boolean wasSilent) {
    return wasSilent && verdict(node).kind() == Verdict.Kind.ACCEPTED;
  }

  /**
   * A proxy disagrees with the others of its class: it has no vote until it connects again.
   *
   * @param accepts whether it accepts what they refuse; otherwise it is the other way around
   * @param message the error text of whoever refuses
   */
  default void diverged(String node, Resource resource, boolean accepts, String message) {}

  /**
   * Whether a proxy that is gone was a client that had only just connected when it was shown
   * something.
   *
   * @param shown on the clock of {@code System.nanoTime}
   */
  default boolean wasPassing(String node, long shown) {
    return false;
  }

  /** Whether many other proxies left at that time, on the clock of {@code System.nanoTime}. */
  default boolean leftWithOthers(long at, Collection<String> canaries) {
    return false;
  }

  /**
   * How the process of a proxy ended that was lost, if somebody knows.
   *
   * @param at when it was gone, on the clock of {@code System.nanoTime}
   */
  default ScoutProbe.@Nullable ProcessEnd end(String node, long at) {
    return null;
  }

  /** Sets which refused resources do not count as a rejection. */
  default void excuse(Predicate<Resource> excused) {}

  /** Whether proxies of a class have run their baseline, now or before. */
  default boolean tookPart(String proxyClass) {
    return true;
  }

  /** Whether evidence still counts: its class is connected, or may come back. */
  default boolean counts(Evidence evidence) {
    Collection<Candidate> candidates = candidates();
    return candidates.isEmpty()
        || candidates.stream()
            .anyMatch(candidate -> candidate.proxyClass().equals(evidence.proxyClass()));
  }
}
