// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import io.grpc.Status;
import io.grpc.StatusOr;

/**
 * Hears what becomes of one resource (the contract of gRFC A88).
 *
 * <p>A watcher that is added late is told the same as the earlier ones know: the resource, then the
 * ambient error that stands, if any; or the error that stands in place of a resource.
 *
 * <p>The status codes are the control plane's business and not fit for data plane calls; see gRFC
 * A54.
 */
public interface ResourceWatcher<T> {
  /**
   * A new resource, or the reason why there is none. After an error an earlier resource must no
   * longer be used. Clears any ambient error.
   */
  void onResourceChanged(StatusOr<Resource<T>> resource);

  /**
   * Something is wrong, but not so that the resource should no longer be used: context for errors
   * that happen for other reasons. {@link Status#OK} says that it is over.
   */
  void onAmbientError(Status status);
}
