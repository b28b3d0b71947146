// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.filter;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The filters that the calls of a route pass, in their order. Immutable. */
public final class FilterChain {
  private final List<ClientInterceptor> interceptors;
  private final List<SessionFilter> sessions;

  FilterChain(List<ClientInterceptor> interceptors, List<SessionFilter> sessions) {
    this.interceptors = List.copyOf(interceptors);
    this.sessions = List.copyOf(sessions);
  }

  /**
   * The session of a call; null if there are none for calls like it. Of several filters, the last
   * one decides.
   */
  public @Nullable CallSession session(String method, Metadata headers) {
    for (int i = sessions.size() - 1; i >= 0; i--) {
      CallSession session = sessions.get(i).of("/" + method, headers);
      if (session != null) {
        return session;
      }
    }
    return null;
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
