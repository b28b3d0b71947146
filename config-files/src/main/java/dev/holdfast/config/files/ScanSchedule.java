// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Decides when to look. Times are readings of one monotonic clock. */
final class ScanSchedule {
  private final WatchTimings watching;
  private Duration lastLook = Duration.ZERO;
  private @Nullable Duration firstEvent;
  private Duration lastEvent = Duration.ZERO;

  ScanSchedule(WatchTimings watching) {
    this.watching = watching;
  }

  /** Whether to look now, knowing whether anything happened since this was last asked. */
  boolean due(boolean happened, Duration now) {
    if (happened) {
      lookAgain(now);
    }
    if (firstEvent != null) {
      return since(lastEvent, now).compareTo(watching.quiet()) >= 0
          || since(firstEvent, now).compareTo(watching.patience()) >= 0;
    }
    return since(lastLook, now).compareTo(watching.rescan()) >= 0;
  }

  /** A look begins: it will see everything that happened up to now. */
  void looked(Duration now) {
    lastLook = now;
    firstEvent = null;
  }

  /** Something may have happened. */
  void lookAgain(Duration now) {
    lastEvent = now;
    if (firstEvent == null) {
      firstEvent = now;
    }
  }

  private static Duration since(Duration then, Duration now) {
    return now.minus(then);
  }
}
