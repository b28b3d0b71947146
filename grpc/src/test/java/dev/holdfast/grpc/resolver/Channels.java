// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import io.grpc.NameResolver;
import io.grpc.NameResolver.ConfigOrError;
import io.grpc.NameResolver.ServiceConfigParser;
import io.grpc.SynchronizationContext;
import java.util.Map;

/** What a channel gives to its resolver. */
final class Channels {
  private Channels() {}

  static NameResolver.Args args() {
    return argsBuilder().build();
  }

  /** Everything runs where it is called; configurations are parsed to themselves. */
  static NameResolver.Args.Builder argsBuilder() {
    return NameResolver.Args.newBuilder()
        .setDefaultPort(443)
        .setProxyDetector(address -> null)
        .setSynchronizationContext(
            new SynchronizationContext(
                (thread, error) -> {
                  throw new AssertionError(error);
                }))
        .setServiceConfigParser(
            new ServiceConfigParser() {
              @Override
              public ConfigOrError parseServiceConfig(Map<String, ?> raw) {
                return ConfigOrError.fromConfig(raw);
              }
            });
  }
}
