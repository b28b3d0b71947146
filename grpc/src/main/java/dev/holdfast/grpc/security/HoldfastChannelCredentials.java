// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.security;

import dev.holdfast.grpc.libraries.LibraryCheck;
import io.grpc.ChannelCredentials;
import io.grpc.ChoiceChannelCredentials;
import io.grpc.CompositeChannelCredentials;
import java.util.Objects;

/**
 * Credentials for channels to {@code xds:} targets that let the control plane decide about TLS
 * (gRFC A29): a cluster with a {@code transport_socket} is connected to as that says, with
 * certificates from the {@code certificate_providers} of the bootstrap.
 *
 * <pre>{@code
 * ManagedChannel channel =
 *     Grpc.newChannelBuilder(
 *             "xds:///shop",
 *             HoldfastChannelCredentials.create(InsecureChannelCredentials.create()))
 *         .build();
 * }</pre>
 *
 * <p>The transport of such a channel is {@code grpc-netty-shaded}, which {@code
 * Grpc.newChannelBuilder} finds by itself.
 */
public final class HoldfastChannelCredentials {
  private HoldfastChannelCredentials() {}

  /**
   * Credentials that do as each cluster says.
   *
   * @param fallback for clusters that say nothing, and for targets that are not {@code xds:} ones;
   *     without call credentials, which belong around the result, as they go to all clusters
   */
  public static ChannelCredentials create(ChannelCredentials fallback) {
    Objects.requireNonNull(fallback, "fallback");
    if (fallback instanceof CompositeChannelCredentials) {
      throw new IllegalArgumentException(
          "fallback: has call credentials (expected:"
              + " CompositeChannelCredentials.create(HoldfastChannelCredentials.create(...),"
              + " callCredentials))");
    }
    LibraryCheck.require();
    try {
      return ChoiceChannelCredentials.create(new Marker(), NettySecurity.create(fallback));
    } catch (LinkageError e) { // an application that left grpc-netty-shaded out
      throw new IllegalStateException(LibraryCheck.describe(e), e);
    }
  }

  /** Whether these were made here. */
  static boolean isAmong(ChannelCredentials credentials) {
    return credentials instanceof ChoiceChannelCredentials choice
        && choice.getCredentialsList().stream().anyMatch(Marker.class::isInstance);
  }

  /** No transport takes these; they are how we know our own credentials when we see them. */
  private static final class Marker extends ChannelCredentials {
    @Override
    public ChannelCredentials withoutBearerTokens() {
      return this;
    }
  }
}
