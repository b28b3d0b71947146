// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.Validator.Stage;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.Secret;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All shared things of a proxy, by name. */
final class Providers {
  private final Mux mux;
  private final Stats stats;
  private final List<Validator> validators;
  private final @Nullable String hostsProblem;
  private final Map<String, Routes> routes = new LinkedHashMap<>();
  private final Map<String, Secrets> secrets = new LinkedHashMap<>();
  private final Map<String, Filters> filters = new LinkedHashMap<>();

  Providers(Mux mux, Stats stats, EnvoyOptions options) {
    this.mux = mux;
    this.stats = stats;
    this.validators = options.validators();
    this.hostsProblem = hostsProblem(options);
  }

  /** What it says of routes whose virtual hosts are to come one by one; null for nothing. */
  private static @Nullable String hostsProblem(EnvoyOptions options) {
    String[] version = options.version().split("\\.", 3);
    if (Integer.parseInt(version[0]) == 1 && Integer.parseInt(version[1]) < 37) {
      return "vhds: only 'DELTA_GRPC' is supported as an api_type.";
    }
    return options.delta()
        ? null
        : "vhds: ADS must use DELTA_GRPC api_type when used as VHDS config source.";
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

  /**
   * Built as a whole before it replaces what was there. A removal means nothing. Its virtual hosts
   * may come one by one (VHDS): then it is not ready before the first of them are there.
   */
  final class Routes extends Provider {
    private final String statPrefix;

    /** As it came, without the virtual hosts that come one by one. */
    private @Nullable RouteConfiguration base;

    private @Nullable RouteConfiguration current;
    private @Nullable HostsByName hosts;

    private Routes(Reference reference) {
      super(TypeUrls.ROUTE_CONFIGURATION, reference, mux, stats);
      statPrefix = reference.statPrefix();
    }

    @Override
    @Nullable RouteConfiguration current() {
      return current;
    }

    @Override
    void apply(Message resource) {
      if (resource.equals(base)) {
        return;
      }
      RouteConfiguration next = (RouteConfiguration) resource;
      if (next.hasVhds() && hostsProblem != null) {
        throw new RejectedException(hostsProblem);
      }
      Map<String, VirtualHost> kept =
          hosts != null && next.hasVhds() ? hosts.byName : new TreeMap<>();
      RouteConfiguration whole = checked(next, kept);
      base = next;
      current = whole;
      if (hosts != null) {
        hosts.byName = kept;
      }
      if (next.hasVhds() && hosts == null) {
        hosts = new HostsByName(this);
        hosts.watch(next.getVhds().getConfigSource());
      }
    }

    private RouteConfiguration checked(RouteConfiguration routes, Map<String, VirtualHost> added) {
      RouteConfiguration whole = routes.toBuilder().addAllVirtualHosts(added.values()).build();
      Decoder.check(validators, Stage.APPLY, whole);
      return whole;
    }

    @Override
    boolean isComplete() {
      return hosts == null || hosts.came;
    }

    @Override
    boolean release(Object user) {
      boolean over = super.release(user);
      if (over && hosts != null) {
        hosts.end();
      }
      return over;
    }

    @Override
    void removed() {}
  }

  /**
   * The virtual hosts of a route table that come one by one. What a response changes is taken as a
   * whole, or not at all. They are known by the names they bear: a removal goes by the name of the
   * resource, and has no effect if that is another one.
   */
  private final class HostsByName implements Subscription.Callbacks {
    private final Routes routes;
    private final Subscription subscription;
    private Map<String, VirtualHost> byName = new TreeMap<>();
    private boolean came;

    HostsByName(Routes routes) {
      this.routes = routes;
      this.subscription =
          Subscription.under(
              routes.name, TypeUrls.VIRTUAL_HOST, this, stats, routes.statPrefix + "vhds.");
    }

    void watch(ConfigSource source) {
      mux.subscribe(subscription, Reference.timeout(source));
    }

    void end() {
      mux.unsubscribe(subscription);
    }

    @Override
    public void update(List<DecodedResource> added, List<String> removed, String version) {
      Map<String, VirtualHost> next = new TreeMap<>(byName);
      removed.forEach(next::remove);
      for (DecodedResource resource : added) {
        VirtualHost host = (VirtualHost) resource.message();
        next.put(host.getName(), host);
      }
      RouteConfiguration base = routes.base;
      if (base != null) {
        routes.current = routes.checked(base, next);
      }
      byName = next;
      came = true;
      routes.ready();
    }

    @Override
    public void failed(Subscription.Failure why) {
      routes.ready();
    }
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
