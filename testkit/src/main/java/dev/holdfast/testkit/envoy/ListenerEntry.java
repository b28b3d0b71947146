// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import dev.holdfast.testkit.envoy.Validator.Stage;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One listener, from when it was read to when it is thrown away. */
final class ListenerEntry {
  final Listener config;
  private final Providers providers;
  private final List<Provider> targets = new ArrayList<>();
  private @Nullable Warming warming;

  /** Reads a listener, or throws {@link RejectedException}. */
  ListenerEntry(Listener config, Providers providers, List<Validator> validators) {
    this.config = config;
    this.providers = providers;
    Decoder.check(validators, Stage.APPLY, config);
    for (FilterChain chain : References.chains(config)) {
      References.http(chain)
          .filter(http -> http.hasRouteConfig())
          .ifPresent(http -> Decoder.check(validators, Stage.APPLY, http.getRouteConfig()));
    }
    try {
      for (FilterChain chain : References.chains(config)) {
        References.routes(chain).forEach(reference -> use(providers.routes(reference)));
        References.filters(chain).forEach(reference -> use(providers.filter(reference)));
        References.secrets(chain).forEach(reference -> use(providers.secret(reference)));
      }
    } catch (RejectedException e) {
      close();
      throw e;
    }
  }

  private void use(Provider provider) {
    targets.add(provider);
    provider.use(this);
  }

  /** Whether everything that it names has come, was rejected, or has not come in time. */
  boolean isReady() {
    return targets.stream().allMatch(Provider::isReady);
  }

  void warm(Runnable done) {
    warming = Warming.start(targets, done);
  }

  void close() {
    if (warming != null) {
      warming.cancel();
    }
    targets.forEach(target -> providers.release(target, this));
  }

  /** Where it listens; empty for a port of the system's choosing. */
  String address() {
    SocketAddress address = config.getAddress().getSocketAddress();
    return address.getPortValue() == 0 ? "" : address.getAddress() + ":" + address.getPortValue();
  }
}
