// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.grpc.config.RoutedCall;
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
  private final @Nullable FilterChain filters;
  private final @Nullable RouteRetries retries;

  /**
   * @param filters null for none
   * @param retries null if those of the channel will do
   */
  HoldingInterceptor(
      HeldCluster cluster,
      RoutedCall routed,
      @Nullable FilterChain filters,
      @Nullable RouteRetries retries) {
    this.cluster = cluster;
    this.routed = routed;
    this.filters = filters;
    this.retries = retries;
  }

  @Override
  public <Q, S> ClientCall<Q, S> interceptCall(
      MethodDescriptor<Q, S> method, CallOptions options, Channel next) {
    CallOptions known = options.withOption(RoutedCall.KEY, routed);
    return new HoldingCall<>(
        filters == null
            ? attempts(method, known, next)
            : filters.newCall(method, known, new Attempts(next)),
        cluster);
  }

  private <Q, S> ClientCall<Q, S> attempts(
      MethodDescriptor<Q, S> method, CallOptions options, Channel next) {
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

    HoldingCall(ClientCall<Q, S> call, HeldCluster cluster) {
      super(call);
      this.cluster = cluster;
    }

    @Override
    public void start(Listener<S> listener, Metadata headers) {
      delegate().start(new LettingGo<>(listener, cluster), headers);
    }
  }

  private static final class LettingGo<S> extends SimpleForwardingClientCallListener<S> {
    private final HeldCluster cluster;
    private boolean letGo;

    LettingGo(ClientCall.Listener<S> listener, HeldCluster cluster) {
      super(listener);
      this.cluster = cluster;
    }

    @Override
    public void onHeaders(Metadata headers) {
      letGo();
      delegate().onHeaders(headers);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      letGo();
      delegate().onClose(status, trailers);
    }

    private void letGo() {
      if (!letGo) {
        letGo = true;
        cluster.letGo();
      }
    }
  }
}
