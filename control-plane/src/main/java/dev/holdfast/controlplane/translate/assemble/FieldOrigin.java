// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.SourcePlace;

/** Where an object says something, such as at {@code spec.routes[1]}. */
public record FieldOrigin(ObjectKey object, long generation, String field) {
  /** That this is where a part of a resource comes from. */
  public SourcePlace of(String path) {
    return new SourcePlace(path, object, generation, field);
  }
}
