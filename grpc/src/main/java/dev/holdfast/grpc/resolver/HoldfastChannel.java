// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannelBuilder;

/**
 * Channels to {@code xds:} targets for programs that do not take their bootstrap from the
 * environment; those that do need nothing but gRPC's own builders.
 *
 * <pre>{@code
 * ManagedChannel channel = HoldfastChannel.forTarget("xds:///shop", bootstrap).build();
 * }</pre>
 */
public final class HoldfastChannel {
  private HoldfastChannel() {}

  /** A channel without encryption; its calls to clusters that ask for TLS fail. */
  public static ManagedChannelBuilder<?> forTarget(String target, XdsBootstrap bootstrap) {
    return forTarget(target, InsecureChannelCredentials.create(), XdsOptions.of(bootstrap));
  }

  /** A channel with these credentials on connections to endpoints. */
  public static ManagedChannelBuilder<?> forTarget(
      String target, ChannelCredentials credentials, XdsOptions options) {
    return Grpc.newChannelBuilder(target, credentials).setNameResolverArg(XdsOptions.KEY, options);
  }
}
