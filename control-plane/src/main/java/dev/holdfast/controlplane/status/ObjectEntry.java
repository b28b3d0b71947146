// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.controlplane.report.ProxyCounts;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/** One object on the board. */
final class ObjectEntry {
  ConfigObject object;

  /** When this generation was first seen; for how long it took to get everywhere. */
  long seenAt;

  /** What is true. */
  ObjectStatus status = ObjectStatus.empty();

  long served;

  /** What is durable, and so may be shown. */
  ObjectStatus shown = ObjectStatus.empty();

  long shownServed;
  PollResult judged =
      new PollResult(ProxyCounts.NONE, ProxyCounts.NONE, Collections.emptySortedMap(), null, null);

  /** The generation whose way to all proxies is in the history. */
  long told;

  /** The generation whose status an earlier life of the server found out; 0 if none did. */
  long inherited;

  ObjectEntry(ConfigObject object, long seenAt) {
    this.object = object;
    this.seenAt = seenAt;
  }

  @Nullable String reason() {
    var programmed = status.condition(Conditions.PROGRAMMED);
    return programmed == null ? null : programmed.reason();
  }
}
