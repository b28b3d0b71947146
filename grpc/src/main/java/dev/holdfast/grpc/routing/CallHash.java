// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.grpc.hash.XxHash64;
import dev.holdfast.xds.resources.route.HashPolicy;
import io.grpc.Metadata;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The hash of calls by the policies of one route (gRFC A42). */
final class CallHash {
  private final Part[] parts;
  private final ThreadSafeRandom random;

  /**
   * @param channelHash the same for all calls of the channel
   */
  CallHash(List<HashPolicy> policies, long channelHash, ThreadSafeRandom random) {
    parts = policies.stream().map(policy -> part(policy, channelHash)).toArray(Part[]::new);
    this.random = random;
  }

  /** One policy: a header to hash, or else a number. */
  private record Part(
      @Nullable Headers header,
      HashPolicy.@Nullable Rewrite rewrite,
      long number,
      boolean terminal) {}

  private static Part part(HashPolicy policy, long channelHash) {
    return policy.fold(
        header -> new Part(Headers.of(header.name()), header.rewrite(), 0, header.terminal()),
        channelId -> new Part(null, null, channelHash, channelId.terminal()));
  }

  /** The hash; random if no policy yields one. */
  long of(Metadata metadata) {
    boolean any = false;
    long hash = 0;
    for (Part part : parts) {
      String value = part.header == null ? null : part.header.read(metadata);
      if (part.header == null || value != null) {
        long next = value == null ? part.number : hash(value, part.rewrite);
        hash = any ? Long.rotateLeft(hash, 1) ^ next : next;
        any = true;
      }
      if (any && part.terminal) {
        break;
      }
    }
    return any ? hash : random.nextLong();
  }

  private static long hash(String value, HashPolicy.@Nullable Rewrite rewrite) {
    return XxHash64.hash(rewrite == null ? value : rewrite.apply(value));
  }
}
