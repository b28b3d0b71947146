// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ledger;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.Generations;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.StateProblem;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers whether generations can be stored. As long as they cannot, the edits of the source do
 * not even reach the control plane, so nobody else would know that some wait. Any thread.
 */
public final class ObservedGenerations implements Generations {
  private final Generations generations;
  private final TimeSource time;
  private volatile @Nullable StateProblem problem;

  public ObservedGenerations(Generations generations, TimeSource time) {
    this.generations = generations;
    this.time = time;
  }

  @Override
  public Map<ObjectKey, Generation> assign(
      Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now) {
    return observe(() -> generations.assign(digests, counted, now));
  }

  @Override
  public Map<ObjectKey, Generation> known(Set<ObjectKey> keys) {
    return observe(() -> generations.known(keys));
  }

  private Map<ObjectKey, Generation> observe(Call call) {
    try {
      Map<ObjectKey, Generation> result = call.run();
      problem = null;
      return result;
    } catch (RuntimeException e) {
      StateProblem before = problem;
      problem =
          new StateProblem(
              String.valueOf(e.getMessage()), before == null ? time.now() : before.since());
      throw e;
    }
  }

  /** Why the last call failed; null if it did not. */
  public @Nullable StateProblem problem() {
    return problem;
  }

  private interface Call {
    Map<ObjectKey, Generation> run();
  }
}
