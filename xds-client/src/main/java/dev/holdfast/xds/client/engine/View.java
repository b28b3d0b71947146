// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.Resource;
import io.grpc.Status;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a watcher knows, or ought to know: a resource and perhaps an ambient error, or an error
 * instead of a resource, or nothing yet. Watchers are told the difference between what they know
 * and what is; a new watcher knows nothing, so it is told everything.
 */
record View<T>(@Nullable Resource<T> resource, @Nullable Status error, @Nullable Status ambient) {
  private static final View<?> NOTHING = new View<>(null, null, null);

  @SuppressWarnings("unchecked") // holds no T
  static <T> View<T> nothing() {
    return (View<T>) NOTHING;
  }

  static <T> View<T> resource(Resource<T> resource, @Nullable Status ambient) {
    return new View<>(resource, null, ambient);
  }

  static <T> View<T> error(Status error) {
    return new View<>(null, error, null);
  }

  boolean isNothing() {
    return resource == null && error == null;
  }

  /** Whether both hold the very same content; unchanged content keeps its value object. */
  boolean sameResource(View<T> other) {
    return resource != null && other.resource != null && resource.value() == other.resource.value();
  }

  boolean sameError(View<T> other) {
    return same(error, other.error);
  }

  boolean sameAmbient(View<T> other) {
    return same(ambient, other.ambient);
  }

  /** {@link Status} has no value equality. */
  static boolean same(@Nullable Status a, @Nullable Status b) {
    if (a == null || b == null) {
      return a == null && b == null;
    }
    return a.getCode() == b.getCode() && Objects.equals(a.getDescription(), b.getDescription());
  }
}
