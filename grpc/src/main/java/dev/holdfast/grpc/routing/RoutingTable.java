// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.grpc.filter.ClientFilters;
import dev.holdfast.grpc.retry.TimedRetries;
import dev.holdfast.xds.resources.listener.HttpConnectionManager;
import dev.holdfast.xds.resources.listener.RouteSource;
import dev.holdfast.xds.resources.route.PathMatcher;
import dev.holdfast.xds.resources.route.RetryPolicy;
import dev.holdfast.xds.resources.route.Route;
import dev.holdfast.xds.resources.route.RouteAction;
import dev.holdfast.xds.resources.route.VirtualHost;
import dev.holdfast.xds.resources.route.WeightedCluster;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The routes of one virtual host, made ready for calls. Immutable but for what it remembers.
 *
 * <p>Which routes have a path that fits depends on the method alone, so that it is found out once
 * per method; what is left to do for a call is to look at its headers, where a route asks for any.
 */
final class RoutingTable {
  /** More methods than any service has: names that callers make up must not fill the memory. */
  private static final int MAX_REMEMBERED = 4096;

  private final HttpConnectionManager manager;
  private final VirtualHost virtualHost;
  private final List<Entry> entries;
  private final List<HeldCluster> held;
  private final ConcurrentMap<String, Entry[]> byMethod = new ConcurrentHashMap<>();

  private RoutingTable(XdsConfig config, List<Entry> entries, List<HeldCluster> held) {
    this.manager = config.manager();
    this.virtualHost = config.virtualHost();
    this.entries = entries;
    this.held = held;
  }

  /**
   * @param forwarding null for a route that does not forward
   */
  record Entry(PathMatcher path, CallMatcher matcher, @Nullable Forwarding forwarding) {}

  /** Whether it was made of the same parts of a configuration. */
  @SuppressWarnings("ReferenceEquality") // what did not change is the same object
  boolean isOf(XdsConfig config) {
    return manager == config.manager() && virtualHost == config.virtualHost();
  }

  /** The route of a call; null if there is none. */
  @Nullable Entry find(String method, Metadata headers) {
    Entry[] candidates = byMethod.get(method);
    if (candidates == null) {
      candidates = candidates(method);
      if (byMethod.size() < MAX_REMEMBERED) {
        byMethod.put(method, candidates);
      }
    }
    for (Entry candidate : candidates) {
      if (candidate.matcher.matches(headers)) {
        return candidate;
      }
    }
    return null;
  }

  /** The routes that a method may take, up to the first that asks for nothing else. */
  private Entry[] candidates(String method) {
    String path = "/" + method;
    List<Entry> candidates = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.path.matches(path)) {
        candidates.add(entry);
        if (entry.matcher.isTrivial()) {
          break;
        }
      }
    }
    return candidates.toArray(Entry[]::new);
  }

  Status noRoute(String method) {
    return unavailable("no route for /" + method);
  }

  Status notForwarding(String method) {
    return unavailable("the route of /" + method + " does not lead to a cluster");
  }

  Status refused(String method, Status why) {
    return unavailable("the route of /" + method + ": " + why.getDescription());
  }

  private Status unavailable(String text) {
    return Status.UNAVAILABLE.withDescription(
        text + " in virtual host " + virtualHost.name() + " of " + source());
  }

  private String source() {
    return manager
        .routes()
        .fold(
            (RouteSource.Rds rds) -> "RDS resource " + rds.routeConfigName(),
            (RouteSource.Inline inline) ->
                "the listener's route configuration " + inline.routeConfig().name());
  }

  /** Lets go of the clusters; calls that it sent there hold them for themselves. */
  void retire() {
    held.forEach(HeldCluster::letGo);
  }

  /** What makes the parts of routes that are the same for all their calls. */
  record Parts(MethodConfigs terms, TimedRetries retries, ClientFilters filters) {}

  /** Makes tables. Only used from the loop. */
  static final class Maker {
    private final HeldClusters clusters;
    private final Parts parts;
    private final long channelHash;
    private final ThreadSafeRandom random;

    Maker(HeldClusters clusters, Parts parts, ThreadSafeRandom random) {
      this.clusters = clusters;
      this.parts = parts;
      this.random = random;
      channelHash = random.nextLong();
    }

    /** A table that holds all clusters of the routes. */
    RoutingTable make(XdsConfig config) {
      parts.terms().startOver();
      Map<String, HeldCluster> held = new TreeMap<>();
      List<Entry> entries = new ArrayList<>();
      for (Route route : config.virtualHost().routes()) {
        Forwarding forwarding =
            route.action() instanceof RouteAction.Forward forward
                ? forwarding(route, forward, config, held)
                : null;
        entries.add(
            new Entry(route.match().path(), new CallMatcher(route.match(), random), forwarding));
      }
      return new RoutingTable(config, entries, List.copyOf(held.values()));
    }

    private Forwarding forwarding(
        Route route, RouteAction.Forward forward, XdsConfig config, Map<String, HeldCluster> held) {
      Duration own = forward.maxStreamDuration();
      Duration timeout = own == null ? config.manager().maxStreamDuration() : own;
      int count = forward.clusters().size();
      Forwarding.Choice[] choices = new Forwarding.Choice[count];
      long[] upTo = new long[count];
      long sum = 0;
      for (int i = 0; i < count; i++) {
        WeightedCluster cluster = forward.clusters().get(i);
        choices[i] =
            new Forwarding.Choice(
                held.computeIfAbsent(cluster.name(), clusters::hold),
                parts
                    .filters()
                    .chain(
                        config.manager().httpFilters(),
                        List.of(
                            cluster.filterOverrides(),
                            route.filterOverrides(),
                            config.virtualHost().filterOverrides()),
                        timeout));
        sum += cluster.weight();
        upTo[i] = sum;
      }
      RetryPolicy policy = forward.retryPolicy();
      boolean timed =
          policy != null && policy.perTryTimeout() != null && parts.terms().channelRetries(policy);
      return new Forwarding(
          choices,
          upTo,
          parts.terms().of(timeout, timed ? null : policy),
          timed && policy != null ? parts.retries().route(policy, timeout) : null,
          new CallHash(forward.hashPolicies(), channelHash, random),
          forward.autoHostRewrite());
    }
  }
}
