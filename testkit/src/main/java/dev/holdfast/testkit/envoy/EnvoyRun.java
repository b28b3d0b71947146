// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.time.Duration;

/** The state of one run of the fake; a restart makes a new one. */
final class EnvoyRun {
  final Stats stats = new Stats();
  final Mux mux;
  final Providers providers;
  final Clusters clusters;
  final Listeners listeners;
  private final Duration timeout;

  EnvoyRun(EnvoyOptions options, EnvoyContext world) {
    Decoder decoder = new Decoder(options.validators());
    Node node = EnvoyNode.of(options);
    mux = options.delta() ? new DeltaMux(world, decoder, node) : new SotwMux(world, decoder, node);
    providers = new Providers(mux, stats, options);
    listeners = new Listeners(mux, stats, providers, options);
    timeout = options.initialFetchTimeout();
    clusters = new Clusters(mux, stats, providers, options, () -> listeners.start(timeout));
  }

  void start() {
    clusters.start(timeout);
  }

  ReceivedResponse receive(Message response) {
    return ReceivedResponse.of(response).with(mux.receive(response));
  }
}
