// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import dev.holdfast.xds.client.ServerConfig;
import io.grpc.ManagedChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The channels of one client: one for each server, from the first who needs it to the last.
 * Thread-safe.
 */
final class ServerChannels {
  private final Function<ServerConfig, Opened> open;

  // Guarded by this.
  private final Map<ServerConfig, Shared> channels = new HashMap<>();

  ServerChannels(Function<ServerConfig, Opened> open) {
    this.open = open;
  }

  /** A channel and what keeps its credentials up to date. */
  record Opened(ManagedChannel channel, ChannelSecurity.Opened security) {}

  /** The channel to a server, until the lease is closed. Throws what is wrong with the server. */
  synchronized Lease lease(ServerConfig server) {
    Shared shared = channels.get(server);
    if (shared == null) {
      shared = new Shared(open.apply(server));
      channels.put(server, shared);
    }
    shared.leases++;
    return new Lease(server, shared);
  }

  private void giveBack(ServerConfig server, Shared shared) {
    synchronized (this) {
      shared.leases--;
      if (shared.leases > 0) {
        return;
      }
      channels.remove(server);
    }
    shared.opened.channel().shutdownNow();
    shared.opened.security().close();
  }

  private static final class Shared {
    final Opened opened;
    int leases;

    Shared(Opened opened) {
      this.opened = opened;
    }
  }

  /** One user of a channel. */
  final class Lease implements AutoCloseable {
    private final ServerConfig server;
    private final Shared shared;
    private final AtomicBoolean held = new AtomicBoolean(true);

    private Lease(ServerConfig server, Shared shared) {
      this.server = server;
      this.shared = shared;
    }

    ManagedChannel channel() {
      return shared.opened.channel();
    }

    /** Idempotent. */
    @Override
    public void close() {
      if (held.compareAndSet(true, false)) {
        giveBack(server, shared);
      }
    }
  }
}
