// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Place;

/** Where an object says something, such as at {@code spec.routes[1]}. */
public record Origin(ObjectKey object, long generation, String field) {
  /** That this is where a part of a resource comes from. */
  public Place of(String path) {
    return new Place(path, object, generation, field);
  }
}
