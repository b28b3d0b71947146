// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.MethodDescriptor;
import java.util.List;

/** The filters that the calls of a route pass, in their order. Immutable. */
public final class FilterChain {
  private final List<ClientInterceptor> interceptors;

  FilterChain(List<ClientInterceptor> interceptors) {
    this.interceptors = List.copyOf(interceptors);
  }

  /**
   * A call that passes the filters.
   *
   * @param next where calls go that have passed; retries are below it, so that a filter sees a call
   *     once, not each of its attempts
   */
  public <Q, S> ClientCall<Q, S> newCall(
      MethodDescriptor<Q, S> method, CallOptions options, Channel next) {
    return ClientInterceptors.interceptForward(next, interceptors).newCall(method, options);
  }
}
