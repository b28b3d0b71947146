// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectStatus;
import org.jspecify.annotations.Nullable;

/** An object on the status board. */
final class ObjectEntry {
  ConfigObject object;

  /** When this generation was first seen; used to measure how long its rollout took. */
  long seenAt;

  /** The current status, which may not be durable yet. */
  ObjectStatus status = ObjectStatus.empty();

  /** The generation that is in force; 0 if none is. */
  long served;

  /** The generation that was last stored as accepted, or needs not be stored. */
  long acceptedGeneration;

  /** The last durable status, which is the one to show. */
  ObjectStatus shown = ObjectStatus.empty();

  long shownServed;
  PollResult poll = PollResult.NONE;

  /** What requests through scouts found in it. */
  ScoutNotes scoutNotes = ScoutNotes.NONE;

  /** The generation for which the history has an entry that all proxies run it. */
  long recordedGeneration;

  /** Whether it was rejected, or not valid, since all proxies last ran it. */
  boolean wasRejected;

  /** The generation whose status was restored from the store at the start; 0 if none was. */
  long restoredGeneration;

  ObjectEntry(ConfigObject object, long seenAt) {
    this.object = object;
    this.seenAt = seenAt;
  }

  @Nullable String reason() {
    var programmed = status.condition(Conditions.PROGRAMMED);
    return programmed == null ? null : programmed.reason();
  }
}
