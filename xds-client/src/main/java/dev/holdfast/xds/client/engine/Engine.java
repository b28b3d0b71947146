// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.base.Env;
import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.ResourceStatus;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ResourceWatcher;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.Watch;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.XdsTransportFactory;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The engine behind {@link XdsClient}. Public methods only put themselves onto the loop; everything
 * else happens there, so nothing here is locked.
 */
public final class Engine implements XdsClient {
  private final EngineContext context;

  // Any thread.
  private final Map<String, ResourceType<?>> types = new ConcurrentHashMap<>();

  // Loop only.
  private final Map<ServerConfig, Connection> connections = new LinkedHashMap<>();
  private final Map<String, Authority> authorities = new LinkedHashMap<>();

  public Engine(
      XdsClientConfig config, XdsTransportFactory transports, Env env, XdsClientObserver observer) {
    context = new EngineContext(config, transports, env, observer);
    context.onEndOfTurn(this::endOfTurn);
  }

  @Override
  public <T> Watch watch(
      ResourceType<T> type, String name, ResourceWatcher<? super T> watcher, Executor executor) {
    ResourceType<?> known = types.putIfAbsent(type.typeUrl(), type);
    if (known != null && known != type) {
      throw new IllegalArgumentException(
          "type: "
              + type
              + " (expected: "
              + known
              + ", which is in use for "
              + type.typeUrl()
              + ")");
    }
    WatcherSlot<T> slot = new WatcherSlot<>(watcher, executor, context);
    context.loop.execute(() -> start(type, name, slot));
    return new Watch() {
      @Override
      public void cancel() {
        slot.cancel();
        context.loop.execute(() -> stop(type, name, slot, /* tellServerSoon= */ true));
      }

      @Override
      public void cancelForReplacement() {
        slot.cancel();
        context.loop.execute(() -> stop(type, name, slot, /* tellServerSoon= */ false));
      }
    };
  }

  private <T> void start(ResourceType<T> type, String name, WatcherSlot<T> slot) {
    if (context.closed || slot.isCancelled()) {
      return;
    }
    ResourceName parsed;
    try {
      parsed = parse(type, name);
    } catch (ResourceName.MalformedException e) {
      refuse(slot, type, name, Status.INVALID_ARGUMENT, e.reason());
      return;
    }
    Authority authority = authority(parsed.authority());
    if (authority == null) {
      String text = "authority \"" + parsed.authority() + "\" not present in bootstrap config";
      refuse(slot, type, name, Status.FAILED_PRECONDITION, text);
      return;
    }
    if (!authority.hasServers()) {
      refuse(slot, type, name, Status.FAILED_PRECONDITION, "no xDS servers in bootstrap config");
      return;
    }
    Entry<T> entry = authority.entry(type, parsed.canonical());
    boolean first = !entry.isWatched();
    entry.add(slot);
    if (first) {
      authority.subscribe(entry);
    }
    entry.tellWatchers(null);
  }

  private <T> void refuse(
      WatcherSlot<T> slot, ResourceType<T> type, String name, Status code, String text) {
    slot.tell(View.error(context.errors.badWatch(code, type, name, text)), null);
  }

  private <T> void stop(
      ResourceType<T> type, String name, WatcherSlot<T> slot, boolean tellServerSoon) {
    Authority authority;
    String canonical;
    try {
      ResourceName parsed = parse(type, name);
      authority = authorities.get(label(parsed.authority()));
      canonical = parsed.canonical();
    } catch (ResourceName.MalformedException e) {
      return; // was refused
    }
    if (context.closed || authority == null) {
      return;
    }
    Entry<T> entry = authority.existing(type, canonical);
    if (entry == null || !entry.remove(slot)) {
      return;
    }
    if (!entry.isWatched()) {
      authority.unwatched(entry, tellServerSoon);
      context.reviewSoon();
    }
  }

  private <T> ResourceName parse(ResourceType<T> type, String name)
      throws ResourceName.MalformedException {
    return ResourceName.parse(name, type.typeName(), context.config.behaviour().federation());
  }

  private static String label(@Nullable String authority) {
    return authority == null ? Authority.NONE : authority;
  }

  private @Nullable Authority authority(@Nullable String name) {
    String label = label(name);
    Authority known = authorities.get(label);
    if (known != null) {
      return known;
    }
    AuthorityConfig config =
        name == null
            ? new AuthorityConfig(List.of(), /* fallbackOnReachabilityOnly= */ false)
            : context.config.authorities().get(name);
    if (config == null) {
      return null;
    }
    List<ServerConfig> servers =
        config.servers().isEmpty() ? context.config.servers() : config.servers();
    Authority made =
        new Authority(
            label, servers, config.fallbackOnReachabilityOnly(), this::connection, context);
    authorities.put(label, made);
    return made;
  }

  private Connection connection(ServerConfig server) {
    return connections.computeIfAbsent(server, s -> new Connection(s, context));
  }

  /**
   * Lets go of what nobody needs, then sends what is to be sent: once for everything in this turn.
   */
  private void endOfTurn() {
    for (Authority authority : List.copyOf(authorities.values())) {
      if (!authority.hasWatched() && authority.retire()) {
        authorities.remove(authority.label());
      }
    }
    for (Connection connection : List.copyOf(connections.values())) {
      if (connection.isUnused()) {
        connections.remove(connection.server);
        connection.close();
      } else {
        connection.flush();
      }
    }
  }

  @Override
  public CompletionStage<List<ResourceStatus>> dump() {
    CompletableFuture<List<ResourceStatus>> result = new CompletableFuture<>();
    context.loop.execute(() -> result.complete(snapshot()));
    return result;
  }

  private List<ResourceStatus> snapshot() {
    List<ResourceStatus> all = new ArrayList<>();
    for (Authority authority : authorities.values()) {
      authority.forEachEntry(
          entry -> {
            if (entry.isWatched()) {
              CacheEntry<?> state = entry.state();
              all.add(new ResourceStatus(entry.type, entry.name, state));
            }
          });
    }
    all.sort(
        Comparator.comparing((ResourceStatus status) -> status.type().typeUrl())
            .thenComparing(ResourceStatus::name));
    return all;
  }

  @Override
  public void resetBackoff() {
    context.loop.execute(() -> connections.values().forEach(Connection::resetBackoff));
  }

  @Override
  public void close() {
    context.closed = true; // watchers hear nothing more from here on
    context.loop.execute(
        () -> {
          for (Authority authority : authorities.values()) {
            authority.forEachEntry(Entry::cancelAll);
          }
          context.reviewSoon();
        });
  }
}
