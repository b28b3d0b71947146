// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.filter.CallSession;
import dev.holdfast.grpc.filter.FilterChain;
import dev.holdfast.grpc.retry.RouteRetries;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Tells the balancers where one call goes, sends it through the filters, and lets go of the cluster
 * when no more attempts can follow: at the first headers, which commit the call, or at its end.
 */
final class HoldingInterceptor implements ClientInterceptor {
  private final HeldCluster cluster;
  private final RoutedCall routed;
  private final Passing passing;

  /**
   * What the call passes on its way.
   *
   * @param filters null for none
   * @param session null if the call is not part of one
   * @param retries null if those of the channel will do
   */
  record Passing(
      @Nullable FilterChain filters,
      @Nullable CallSession session,
      @Nullable RouteRetries retries) {}

  HoldingInterceptor(HeldCluster cluster, RoutedCall routed, Passing passing) {
    this.cluster = cluster;
    this.routed = routed;
    this.passing = passing;
  }

  @Override
  public <Q, S> ClientCall<Q, S> interceptCall(
      MethodDescriptor<Q, S> method, CallOptions options, Channel next) {
    CallOptions known = options.withOption(RoutedCall.KEY, routed);
    FilterChain filters = passing.filters();
    return new HoldingCall<>(
        filters == null
            ? attempts(method, known, next)
            : filters.newCall(method, known, new Attempts(next)),
        cluster,
        passing.session());
  }

  private <Q, S> ClientCall<Q, S> attempts(
      MethodDescriptor<Q, S> method, CallOptions options, Channel next) {
    RouteRetries retries = passing.retries();
    return retries == null ? next.newCall(method, options) : retries.newCall(method, options, next);
  }

  /** What is below the filters. */
  private final class Attempts extends Channel {
    private final Channel next;

    Attempts(Channel next) {
      this.next = next;
    }

    @Override
    public <Q, S> ClientCall<Q, S> newCall(MethodDescriptor<Q, S> method, CallOptions options) {
      return attempts(method, options, next);
    }

    @Override
    public @Nullable String authority() {
      return next.authority();
    }
  }

  private static final class HoldingCall<Q, S> extends SimpleForwardingClientCall<Q, S> {
    private final HeldCluster cluster;
    private final @Nullable CallSession session;

    HoldingCall(ClientCall<Q, S> call, HeldCluster cluster, @Nullable CallSession session) {
      super(call);
      this.cluster = cluster;
      this.session = session;
    }

    @Override
    public void start(Listener<S> listener, Metadata headers) {
      delegate().start(new LettingGo<>(listener, cluster, session), headers);
    }
  }

  private static final class LettingGo<S> extends SimpleForwardingClientCallListener<S> {
    private final HeldCluster cluster;
    private final @Nullable CallSession session;
    private boolean letGo;

    LettingGo(ClientCall.Listener<S> listener, HeldCluster cluster, @Nullable CallSession session) {
      super(listener);
      this.cluster = cluster;
      this.session = session;
    }

    @Override
    public void onHeaders(Metadata headers) {
      first(headers);
      delegate().onHeaders(headers);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      first(trailers);
      delegate().onClose(status, trailers);
    }

    /** The first headers, or trailers where there are no headers. */
    private void first(Metadata response) {
      if (!letGo) {
        letGo = true;
        cluster.letGo();
        if (session != null) {
          session.addCookie(cluster.name(), response);
        }
      }
    }
  }
}
