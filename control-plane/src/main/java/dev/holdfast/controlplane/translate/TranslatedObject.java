// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import static java.util.Objects.requireNonNull;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.List;

/**
 * The result of translating one object.
 *
 * @param generation the translated generation
 * @param problems the errors of the object, which is valid if there are none. The parts that could
 *     not be read or cannot be served are left out; the rest is served
 * @param warnings problems that do not make the object invalid
 * @param grpc what proxyless gRPC clients can make of it
 * @param participation whether the object takes part in the configuration
 * @param footprint the resources that the object contributes to, each with a digest of its part:
 *     the same digest as in {@link dev.holdfast.controlplane.snapshot.Resource#contributions}
 */
public record TranslatedObject(
    ObjectKey key,
    long generation,
    List<LocatedProblem> problems,
    List<LocatedProblem> warnings,
    GrpcSupport grpc,
    Participation participation,
    PersistentMap<ResourceId, String> footprint) {

  /** Whether an object takes part in the configuration. */
  public enum Participation {
    /** It takes part, as far as it can be served. */
    OURS,
    /** It has no virtual host of its own, and no served root includes it. */
    ORPHANED,
    /** It names another ingress class. */
    FOREIGN
  }

  public TranslatedObject {
    requireNonNull(key, "key");
    requireNonNull(grpc, "grpc");
    requireNonNull(participation, "participation");
    requireNonNull(footprint, "footprint");
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
  }

  public boolean isValid() {
    return problems.isEmpty();
  }

  /** Whether no served root includes the object. */
  public boolean orphaned() {
    return participation == Participation.ORPHANED;
  }

  /** Whether the object is for another control plane. */
  public boolean foreign() {
    return participation == Participation.FOREIGN;
  }
}
