// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.Validator.Stage;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All shared things of a proxy, by name. */
final class Providers {
  private final Mux mux;
  private final Stats stats;
  private final List<Validator> validators;
  private final Map<String, Routes> routes = new LinkedHashMap<>();
  private final Map<String, Secrets> secrets = new LinkedHashMap<>();
  private final Map<String, Filters> filters = new LinkedHashMap<>();

  Providers(Mux mux, Stats stats, List<Validator> validators) {
    this.mux = mux;
    this.stats = stats;
    this.validators = validators;
  }

  Routes routes(Reference reference) {
    return routes.computeIfAbsent(reference.name(), name -> new Routes(reference));
  }

  Secrets secret(Reference reference) {
    return secrets.computeIfAbsent(reference.name(), name -> new Secrets(reference));
  }

  Filters filter(Reference reference) {
    return filters.computeIfAbsent(reference.name(), name -> new Filters(reference));
  }

  @Nullable RouteConfiguration routesInForce(String name) {
    Routes provider = routes.get(name);
    return provider == null ? null : provider.current();
  }

  /** Somebody no longer needs something. */
  void release(Provider provider, Object user) {
    if (provider.release(user)) {
      routes.remove(provider.name, provider);
      secrets.remove(provider.name, provider);
      filters.remove(provider.name, provider);
    }
  }

  /** Built as a whole before it replaces what was there. A removal means nothing. */
  final class Routes extends Provider {
    private @Nullable RouteConfiguration current;

    private Routes(Reference reference) {
      super(TypeUrls.ROUTE_CONFIGURATION, reference, mux, stats);
    }

    @Override
    @Nullable RouteConfiguration current() {
      return current;
    }

    @Override
    void apply(Message resource) {
      if (!resource.equals(current)) {
        Decoder.check(validators, Stage.APPLY, resource);
        current = (RouteConfiguration) resource;
      }
    }

    @Override
    void removed() {}
  }

  /**
   * Stored before anybody has tried it: the same bytes again are no news, and whoever comes later
   * gets what others could not use.
   */
  final class Secrets extends Provider {
    private final Map<Object, Secret> inUse = new HashMap<>();
    private @Nullable Secret stored;

    private Secrets(Reference reference) {
      super(TypeUrls.SECRET, reference, mux, stats);
    }

    @Override
    @Nullable Secret current() {
      return stored;
    }

    /** What one user really shows. */
    @Nullable Secret inUseBy(Object user) {
      return inUse.get(user);
    }

    @Override
    void use(Object user) {
      if (stored != null) {
        Decoder.check(validators, Stage.APPLY, stored);
        inUse.put(user, stored);
      }
      super.use(user);
    }

    @Override
    boolean release(Object user) {
      inUse.remove(user);
      return super.release(user);
    }

    @Override
    void apply(Message resource) {
      if (resource.equals(stored)) {
        return;
      }
      Secret secret = (Secret) resource;
      stored = secret;
      for (Object user : users()) {
        Decoder.check(validators, Stage.APPLY, secret);
        inUse.put(user, secret);
      }
    }

    @Override
    void removed() {
      ready();
    }
  }

  /** Noted before the filter is made, so that the same bytes again are no news. */
  final class Filters extends Provider {
    private @Nullable Message last;
    private @Nullable TypedExtensionConfig current;

    private Filters(Reference reference) {
      super(TypeUrls.EXTENSION_CONFIG, reference, mux, stats);
    }

    @Override
    @Nullable TypedExtensionConfig current() {
      return current;
    }

    @Override
    void apply(Message resource) {
      if (!resource.equals(last)) {
        last = resource;
        Decoder.check(validators, Stage.APPLY, resource);
        current = (TypedExtensionConfig) resource;
      }
    }

    @Override
    void removed() {
      last = null;
      current = null;
    }
  }
}
