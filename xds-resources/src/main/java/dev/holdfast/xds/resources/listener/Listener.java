// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A listener: an API listener is for clients, a socket listener for servers. */
public sealed interface Listener {

  String name();

  /** Handles both kinds. */
  <R extends @Nullable Object> R fold(
      Function<? super Api, ? extends R> api, Function<? super Socket, ? extends R> socket);

  /** What a client asks for by the name of a service. */
  record Api(String name, HttpConnectionManager manager) implements Listener {
    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Api, ? extends R> api, Function<? super Socket, ? extends R> socket) {
      return api.apply(this);
    }
  }

  /**
   * What a server asks for by its address.
   *
   * @param host the IP address to listen on, as it was sent
   * @param filterChains no two of which can match one connection equally well
   * @param defaultFilterChain for connections that none of them matches; null to close those
   */
  record Socket(
      String name,
      String host,
      int port,
      List<FilterChain> filterChains,
      @Nullable FilterChain defaultFilterChain)
      implements Listener {
    public Socket {
      filterChains = List.copyOf(filterChains);
    }

    @Override
    public <R extends @Nullable Object> R fold(
        Function<? super Api, ? extends R> api, Function<? super Socket, ? extends R> socket) {
      return socket.apply(this);
    }
  }
}
