// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Sends requests through a scout that has accepted a trial: what accepts a configuration may still
 * fail to serve it. Asked on the loop, and must not block it.
 */
@FunctionalInterface
public interface ScoutProbe {
  /** Asks. The answer may be late, but should come: a change waits for it, if not for ever. */
  CompletionStage<Result> probe(Request request);

  /** What became of asking. */
  sealed interface Result {
    /** The scout was asked, and nothing is wrong. */
    Result FINE = new Asked(List.of());
  }

  /**
   * The scout was asked.
   *
   * @param findings empty if everything was answered as it should be
   * @param endsScout whether the prober ends the scout now, because it can serve nobody any more;
   *     that is no loss, and it is not asked until it connects again
   */
  record Asked(List<Finding> findings, boolean endsScout) implements Result {
    public Asked {
      findings = List.copyOf(findings);
    }

    public Asked(List<Finding> findings) {
      this(findings, false);
    }
  }

  /** The scout could not be asked just now, which says nothing about the change. */
  record NotAsked(String reason) implements Result {}

  /**
   * What to ask for.
   *
   * @param node the scout
   * @param before what it is shown otherwise
   * @param shown everything that it runs, as the fleet would get it
   * @param changed the resources of it that differ from what the scout ran before
   * @param within the time after which no further request should be sent
   */
  record Request(
      String node, Snapshot before, Snapshot shown, List<Resource> changed, Duration within) {
    public Request {
      changed = List.copyOf(changed);
    }
  }

  /**
   * Something that was found.
   *
   * @param object whose part it was, as the provenance of the resource says
   * @param resource the one that the object is to be blamed in
   * @param message what was sent, and what came back
   */
  record Finding(ObjectKey object, ResourceId resource, String message, Weight weight) {}

  /** What follows from a finding. */
  enum Weight {
    /** The change is treated as if the scout had refused it. */
    HOLDS,
    /** It is told, and the change goes on. */
    WARNS,
    /** Nobody knows a request that would tell. */
    NOT_PROBED
  }
}
