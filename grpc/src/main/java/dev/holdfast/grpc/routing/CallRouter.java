// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.config.Subscription;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.grpc.filter.CallSession;
import dev.holdfast.grpc.filter.ClientFilters;
import dev.holdfast.grpc.filter.FilterChain;
import dev.holdfast.grpc.retry.TimedRetries;
import io.grpc.Attributes;
import io.grpc.InternalConfigSelector;
import io.grpc.LoadBalancer.PickSubchannelArgs;
import io.grpc.Metadata;
import io.grpc.StatusOr;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides for each call of one channel where it goes and on what terms.
 *
 * <p>Calls are routed on any thread by the table of the moment, without locks; tables are replaced
 * from the loop. While there is none, calls pass unrouted, so that the balancer fails those that do
 * not wait and keeps the others; the latter are routed when they are picked for, by {@link
 * #routeLate}. They have neither the timeout nor the retries nor the filters of their route, since
 * a channel takes those when a call begins.
 */
public final class CallRouter extends InternalConfigSelector {
  /** How the balancer at the root gets to know it. */
  public static final Attributes.Key<CallRouter> ROUTER =
      Attributes.Key.create("dev.holdfast.grpc.call-router");

  private final RoutingTable.Maker maker;
  private final ThreadSafeRandom random;
  private final Result unrouted;
  private volatile @Nullable RoutingTable table;

  /**
   * @param subscriber keeps a cluster in the configuration; called from the loop
   * @param terms how timeouts and retries are parsed
   * @param retries for routes whose retries the channel cannot do
   * @param filters makes what calls pass
   */
  public CallRouter(
      Function<? super String, ? extends Subscription> subscriber,
      MethodConfigs terms,
      TimedRetries retries,
      ClientFilters filters,
      ThreadSafeRandom random) {
    maker =
        new RoutingTable.Maker(
            new HeldClusters(subscriber), new RoutingTable.Parts(terms, retries, filters), random);
    this.random = random;
    unrouted = Result.newBuilder().setConfig(value(terms.of(Duration.ZERO, null))).build();
  }

  private static Object value(StatusOr<Object> nothingSpecial) {
    if (!nothingSpecial.hasValue()) {
      throw new IllegalArgumentException(
          "parser: " + nothingSpecial.getStatus() + " (expected: accepts an empty service config)");
    }
    return nothingSpecial.getValue();
  }

  /**
   * Routes calls by a configuration from now on. Only from the loop.
   *
   * @param publish gives the configuration to the balancer. It has the clusters of the earlier
   *     routes as well, so it goes first: no call may be sent to a cluster that the balancer does
   *     not know
   */
  public void use(XdsConfig config, Runnable publish) {
    RoutingTable before = table;
    if (before == null) {
      table = maker.make(config); // calls wait at the balancer until it knows the clusters
      publish.run();
    } else if (before.isOf(config)) {
      publish.run();
    } else {
      RoutingTable after = maker.make(config);
      publish.run();
      table = after;
      before.retire();
    }
  }

  /** Routes no more calls, until there is a configuration again. Only from the loop. */
  public void stop() {
    RoutingTable before = table;
    table = null;
    if (before != null) {
      before.retire();
    }
  }

  @Override
  public Result selectConfig(PickSubchannelArgs args) {
    String method = args.getMethodDescriptor().getFullMethodName();
    Metadata headers = args.getHeaders();
    while (true) {
      RoutingTable now = table;
      if (now == null) {
        return unrouted;
      }
      RoutingTable.Entry route = now.find(method, headers);
      if (route == null) {
        return Result.forError(now.noRoute(method));
      }
      Forwarding forwarding = route.forwarding();
      if (forwarding == null) {
        return Result.forError(now.notForwarding(method));
      }
      if (!forwarding.terms().hasValue()) {
        return Result.forError(now.refused(method, forwarding.terms().getStatus()));
      }
      Forwarding.Choice choice = forwarding.choose(random);
      FilterChain filters = choice.filters();
      CallSession session = filters == null ? null : filters.session(method, headers);
      HeldCluster cluster =
          session == null
              ? choice.cluster()
              : forwarding.named(session.cluster(), choice.cluster());
      if (cluster.hold()) { // else the table was replaced in between
        return Result.newBuilder()
            .setConfig(forwarding.terms().getValue())
            .setInterceptor(
                new HoldingInterceptor(
                    cluster,
                    forwarding.routed(cluster, headers, session == null ? null : session.session()),
                    new HoldingInterceptor.Passing(filters, session, forwarding.retries())))
            .build();
      }
    }
  }

  /**
   * Where a call goes that began when this was not known.
   *
   * @return null if it is still not known; an error if there is no route for it
   */
  public @Nullable StatusOr<RoutedCall> routeLate(PickSubchannelArgs args) {
    RoutingTable now = table;
    if (now == null) {
      return null;
    }
    String method = args.getMethodDescriptor().getFullMethodName();
    RoutingTable.Entry route = now.find(method, args.getHeaders());
    if (route == null) {
      return StatusOr.fromStatus(now.noRoute(method));
    }
    Forwarding forwarding = route.forwarding();
    if (forwarding == null) {
      return StatusOr.fromStatus(now.notForwarding(method));
    }
    return StatusOr.fromValue(
        forwarding.routed(forwarding.choose(random).cluster(), args.getHeaders(), null));
  }
}
