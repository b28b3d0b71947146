// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * A request, and what it is about. That is worked out on the thread that has just read it: the loop
 * would have to wait for memory that another core wrote.
 *
 * @param type null if it is none that the stream carries
 */
record TypedRequest<M>(@Nullable ResourceType type, M message) {
  /**
   * @param only the type of a stream that carries no other; null if it carries all
   */
  static <M> TypedRequest<M> of(String typeUrl, @Nullable ResourceType only, M message) {
    ResourceType type = typeUrl.isEmpty() && only != null ? only : ResourceType.ofTypeUrl(typeUrl);
    return new TypedRequest<>(only == null || type == only ? type : null, message);
  }
}
