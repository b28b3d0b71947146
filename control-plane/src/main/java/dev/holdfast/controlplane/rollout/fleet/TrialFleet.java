// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;

/** The proxies, as far as trials have to do with them. */
public interface TrialFleet {
  /** The connected proxies. */
  Collection<Candidate> candidates();

  /**
   * A proxy that may try something out.
   *
   * @param settled whether it runs all that it is shown, or has refused it
   * @param adopted whether it came running something that it did not get from what is shown
   */
  record Candidate(String node, String proxyClass, boolean settled, boolean adopted) {}

  /** Shows one snapshot to some proxies, and the baseline to all others, now and later. */
  void show(Snapshot baseline, Set<String> canaries, Snapshot trial);

  /** What a proxy makes of what it is shown. */
  default Verdict verdict(String node) {
    return verdict(node, nothing -> false);
  }

  /**
   * The same.
   *
   * @param known what it may refuse in addition to what it is excused for
   */
  Verdict verdict(String node, Predicate<Resource> known);

  /** Says what proxies may refuse without that being held against anybody. */
  default void excuse(Predicate<Resource> excused) {}

  /** Whether proxies of a class have run what they were shown, now or before. */
  default boolean tookPart(String proxyClass) {
    return true;
  }

  /** Whether those who gave evidence are there to stand by it. */
  default boolean counts(Evidence certificate) {
    Collection<Candidate> candidates = candidates();
    return candidates.isEmpty()
        || candidates.stream()
            .anyMatch(candidate -> candidate.proxyClass().equals(certificate.proxyClass()));
  }
}
