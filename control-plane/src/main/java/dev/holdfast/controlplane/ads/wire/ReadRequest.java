// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import org.jspecify.annotations.Nullable;

/**
 * A message as it was read: a request, or the reason why its stream ends.
 *
 * @param request null if it is refused
 * @param refusal null if it is not
 * @param bytes the size of the request
 * @param names how many names of resources it has
 * @param dropped how many bytes of the message nobody reads
 */
record ReadRequest<Q>(
    @Nullable Q request, @Nullable Refusal refusal, long bytes, int names, long dropped) {
  static <Q> ReadRequest<Q> of(Q request, long bytes, int names, long dropped) {
    return new ReadRequest<>(request, null, bytes, names, dropped);
  }

  static <Q> ReadRequest<Q> refused(Refusal refusal) {
    return new ReadRequest<>(null, refusal, 0, 0, 0);
  }
}
