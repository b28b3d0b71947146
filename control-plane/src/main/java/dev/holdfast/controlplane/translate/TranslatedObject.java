// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.List;

/**
 * What is known of an object.
 *
 * @param generation of which it is known
 * @param problems what is wrong with it; it is valid if there are none. What could not be read, or
 *     cannot be served at all, is left out; of the rest, what can be served is
 * @param warnings what its author may want to know all the same
 * @param standing whether it takes part
 * @param footprint the resources that it has a part in, and a digest of the part: the same that the
 *     resource has under {@link dev.holdfast.controlplane.snapshot.Resource#contributions}
 */
public record TranslatedObject(
    ObjectKey key,
    long generation,
    List<LocatedProblem> problems,
    List<LocatedProblem> warnings,
    Standing standing,
    PersistentMap<ResourceId, String> footprint) {

  /** Whether an object takes part. */
  public enum Standing {
    /** It does, as far as it can be served. */
    OURS,
    /** It is to be included, and no root that is served includes it. */
    ORPHANED,
    /** It names another ingress class. */
    FOREIGN
  }

  public TranslatedObject {
    requireNonNull(key, "key");
    requireNonNull(standing, "standing");
    requireNonNull(footprint, "footprint");
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
  }

  public boolean isValid() {
    return problems.isEmpty();
  }

  /** Whether it waits for another object to include it. */
  public boolean orphaned() {
    return standing == Standing.ORPHANED;
  }

  /** Whether it is for another control plane. */
  public boolean foreign() {
    return standing == Standing.FOREIGN;
  }
}
