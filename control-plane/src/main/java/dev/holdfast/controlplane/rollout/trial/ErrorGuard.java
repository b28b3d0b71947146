// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.hold.HoldManager;
import dev.holdfast.controlplane.rollout.search.Attribution;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.Trial;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Deals with errors of our own: holds the objects that were in hand, so that the next decision is
 * about others. Each of them is retried by itself, three times; after that it waits for an edit, or
 * for {@code holdfast retry}. Loop only.
 */
final class ErrorGuard {
  private static final int MOST_RETRIES = 3;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final DesiredObjects desired;
  private final HoldManager holds;
  private final RolloutObserver observer;
  private final Map<ObjectKey, Integer> errors = new TreeMap<>();
  private @Nullable RolloutDecision inHand;
  private int inARow;

  ErrorGuard(DesiredObjects desired, HoldManager holds, RolloutObserver observer) {
    this.desired = desired;
    this.holds = holds;
    this.observer = observer;
  }

  /** A decision is about to be carried out. */
  void inHand(RolloutDecision decision) {
    inHand = decision;
  }

  void succeeded() {
    inHand = null;
    inARow = 0;
    errors.keySet().removeIf(key -> holds.table().get(key) == null);
  }

  /** Objects changed: they have another chance. */
  void changed(Collection<ObjectKey> keys) {
    errors.keySet().removeAll(Set.copyOf(keys));
  }

  /** A decision failed; returns how long to wait before the next one. */
  Duration failed(Throwable error, RolloutState state) {
    SortedMap<ObjectKey, ConfigObject> objects = objects(state);
    observer.internalError("deciding about " + first(objects.keySet()), error);
    inHand = null;
    try {
      Set<ObjectKey> again = new TreeSet<>();
      for (ObjectKey key : objects.keySet()) {
        if (errors.merge(key, 1, Integer::sum) <= MOST_RETRIES) {
          again.add(key);
        }
      }
      holds.suspendAfterError(objects, again, "internal error, see the log of the control plane");
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      failedAgain(e);
    }
    inARow++;
    long pause = FIRST_PAUSE.toNanos() << Math.min(inARow - 1, /* max= */ 10);
    return Duration.ofNanos(Math.min(pause, LONGEST_PAUSE.toNanos()));
  }

  void failedAgain(Throwable error) {
    observer.internalError("recovering from an error", error);
  }

  /** What was being decided about: a trial, the suspects of a search, or what is pending. */
  private SortedMap<ObjectKey, ConfigObject> objects(RolloutState state) {
    if (inHand instanceof RolloutDecision.StartTrial start) {
      return Bundle.all(start.bundles());
    }
    if (inHand instanceof RolloutDecision.Convict convict) {
      return convict.conviction().bundle().objects();
    }
    if (inHand instanceof RolloutDecision.Acquit acquit) {
      ConfigObject acquitted = desired.get(acquit.key());
      return acquitted == null
          ? new TreeMap<>()
          : new TreeMap<>(Map.of(acquitted.key(), acquitted));
    }
    Attribution attribution = state.attribution();
    if (attribution != null) {
      return attribution.suspects();
    }
    Trial trial = state.trial();
    return trial == null ? Bundle.all(desired.bundles()) : trial.objects();
  }

  private static String first(Set<ObjectKey> keys) {
    int more = keys.size() - 1;
    return keys.isEmpty()
        ? "nothing"
        : keys.iterator().next() + (more == 0 ? "" : " and " + more + " more objects");
  }
}
