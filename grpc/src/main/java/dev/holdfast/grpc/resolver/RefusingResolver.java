// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import io.grpc.NameResolver;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Fails the calls of a channel with a reason. Stands in for the real resolver where that one cannot
 * be linked, so it uses nothing that older versions of gRPC have not.
 */
final class RefusingResolver extends NameResolver {
  private final Status status;
  private @Nullable Listener2 listener;

  RefusingResolver(String target, String reason) {
    status = Status.UNAVAILABLE.withDescription("target " + target + ": " + reason);
  }

  @Override
  public String getServiceAuthority() {
    return "xds";
  }

  @Override
  public void start(Listener2 listener) {
    this.listener = listener;
    listener.onError(status);
  }

  @Override
  public void refresh() {
    if (listener != null) {
      listener.onError(status);
    }
  }

  @Override
  public void shutdown() {}
}
