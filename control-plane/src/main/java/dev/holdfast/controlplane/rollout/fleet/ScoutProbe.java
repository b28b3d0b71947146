// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.fleet;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests through a scout that has accepted a trial: what accepts a configuration may still
 * fail to serve it. Asked on the loop, and must not block it.
 */
@FunctionalInterface
public interface ScoutProbe {
  /** Asks. The answer may be late, but should come: a change waits for it, if not for ever. */
  CompletionStage<Result> probe(Request request);

  /**
   * How the process of a scout ended that was gone at about some time; null if that is not known,
   * such as of a scout that somebody else runs.
   */
  default @Nullable ProcessEnd end(String node, Instant at) {
    return null;
  }

  /**
   * The end of a process.
   *
   * @param hung whether it was ended because it did not answer any more
   * @param text for people, such as {@code ended by SIGABRT}
   */
  record ProcessEnd(boolean hung, String text) {}

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
   * @param about the objects that requests were sent for, with or without a finding: what was found
   *     of them before is no longer so
   */
  record Asked(List<Finding> findings, boolean endsScout, Set<ObjectKey> about) implements Result {
    public Asked {
      findings = List.copyOf(findings);
      SortedSet<ObjectKey> all = new TreeSet<>(about);
      findings.forEach(finding -> all.add(finding.object()));
      about = Collections.unmodifiableSortedSet(all);
    }

    public Asked(List<Finding> findings) {
      this(findings, false, Set.of());
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
   * @param field of the object, such as {@code spec.routes[1]}; empty if it is not known
   * @param message what was sent, and what came back
   */
  record Finding(
      ObjectKey object, ResourceId resource, String field, String message, Weight weight) {
    /** The message with the field. */
    public String text() {
      return field.isEmpty() ? message : field + ": " + message;
    }
  }

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
