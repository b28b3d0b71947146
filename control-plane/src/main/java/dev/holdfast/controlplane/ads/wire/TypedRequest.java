// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import dev.holdfast.controlplane.snapshot.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * A discovery request and its resource type. The type URL is resolved on the thread that has just
 * parsed the message: the loop would have to wait for memory that another core wrote.
 *
 * @param type null if the stream does not carry the type
 */
public record TypedRequest<M>(@Nullable ResourceType type, M message) {
  /**
   * @param only the type of a stream that carries no other; null for an aggregated stream
   */
  static <M> TypedRequest<M> of(String typeUrl, @Nullable ResourceType only, M message) {
    ResourceType type = typeUrl.isEmpty() && only != null ? only : ResourceType.ofTypeUrl(typeUrl);
    return new TypedRequest<>(only == null || type == only ? type : null, message);
  }
}
