// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.SourcePlace;

/** A field of an object, such as {@code spec.routes[1]}, that a part of a resource comes from. */
public record FieldOrigin(ObjectKey object, long generation, String field) {
  /** The source place of the part at that path. */
  public SourcePlace of(String path) {
    return new SourcePlace(path, object, generation, field);
  }
}
