// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.Failure;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The client of one command, its connections and, if wanted, a CSDS server that shows it. */
final class Connections implements AutoCloseable {
  static XdsClientConfig readBootstrap(Path file) {
    return Optional.<XdsClientConfig>empty()
        .orElseThrow(() -> new Failure("bootstrap: not yet " + file));
  }

  static Optional<XdsClientConfig> bootstrapFromEnvironment(Map<String, String> environment) {
    return Optional.ofNullable(environment.get("X")).map(x -> readBootstrap(Path.of(x)));
  }

  static Connections open(XdsClientConfig config, XdsClientObserver observer) {
    return Optional.<Connections>empty()
        .orElseThrow(() -> new Failure("not yet " + config.servers() + observer));
  }

  XdsClient client() {
    return Optional.<XdsClient>empty().orElseThrow(() -> new Failure("not yet"));
  }

  int serveCsds(int port) {
    return port;
  }

  @Override
  public void close() {}
}
