// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.Snapshot;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds to a snapshot why resources are absent whose object is held. Remembers the last result,
 * since the same snapshot is published many times.
 */
public final class AbsenceReasons {
  private @Nullable Snapshot from;
  private List<Hold> holds = List.of();
  private @Nullable Snapshot to;

  /**
   * @param desired the translation of all desired objects
   */
  public Snapshot added(Snapshot served, Collection<Hold> all, Supplier<Translation> desired) {
    List<Hold> absent =
        all.stream().filter(hold -> hold.served() == 0 && hold.evidence() != null).toList();
    if (absent.isEmpty()) {
      return served;
    }
    Snapshot known = to;
    if (known != null && served == from && absent.equals(holds)) {
      return known;
    }
    Snapshot result = served;
    for (Hold hold : absent) {
      TranslatedObject object = desired.get().objects().get(hold.key());
      Evidence evidence = hold.evidence();
      if (object != null && evidence != null) {
        for (Map.Entry<ResourceId, String> part : object.footprint()) {
          if (result.get(part.getKey()) == null) {
            result =
                result.withAbsence(
                    part.getKey(),
                    hold.key()
                        + " generation "
                        + hold.generation()
                        + " is held: rejected by "
                        + evidence.agent()
                        + ": "
                        + evidence.message());
          }
        }
      }
    }
    from = served;
    holds = absent;
    to = result;
    return result;
  }
}
