// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The resources of one authority and the servers that are asked for them.
 *
 * <p>Servers are used in order of preference (gRFC A71). Normally one is; when it cannot be reached
 * and something that is watched has never been heard of, the next is asked too. The last one in use
 * is the one that counts. As soon as a better one answers, those after it are let go.
 */
final class Authority {
  /** The label of names that have no authority (gRFC A78). */
  static final String NONE = "#old";

  private final String label;
  private final List<ServerConfig> servers;
  private final boolean fallbackOnReachabilityOnly;
  private final Function<ServerConfig, Connection> connections;
  private final EngineContext context;

  private final Map<ResourceType<?>, Map<String, Entry<?>>> entries = new LinkedHashMap<>();

  /** A prefix of {@link #servers}. */
  private final List<Connection> inUse = new ArrayList<>();

  /** What watchers know of the way to the servers; null while it is fine. */
  private @Nullable Status connectivityError;

  private long connectivitySequence;

  Authority(
      String label,
      List<ServerConfig> servers,
      boolean fallbackOnReachabilityOnly,
      Function<ServerConfig, Connection> connections,
      EngineContext context) {
    this.label = label;
    this.servers = List.copyOf(new LinkedHashSet<>(servers));
    this.fallbackOnReachabilityOnly = fallbackOnReachabilityOnly;
    this.connections = connections;
    this.context = context;
  }

  String label() {
    return label;
  }

  boolean hasServers() {
    return !servers.isEmpty();
  }

  /** The entry for a name, made if there is none. */
  @SuppressWarnings("unchecked") // a type's map holds only entries of that type
  <T> Entry<T> entry(ResourceType<T> type, String name) {
    return (Entry<T>)
        entries
            .computeIfAbsent(type, t -> new LinkedHashMap<>())
            .computeIfAbsent(name, n -> new Entry<>(type, n, this, context));
  }

  /** The entry for a name, if there is one. */
  @SuppressWarnings("unchecked") // a type's map holds only entries of that type
  <T> @Nullable Entry<T> existing(ResourceType<T> type, String name) {
    Map<String, Entry<?>> ofType = entries.get(type);
    return ofType == null ? null : (Entry<T>) ofType.get(name);
  }

  void forget(Entry<?> entry) {
    Map<String, Entry<?>> ofType = entries.get(entry.type);
    if (ofType != null) {
      ofType.remove(entry.name);
      if (ofType.isEmpty()) {
        entries.remove(entry.type);
      }
    }
  }

  void forEachEntry(Consumer<? super Entry<?>> action) {
    entries.values().forEach(ofType -> ofType.values().forEach(action));
  }

  boolean hasWatched() {
    return anyEntry(Entry::isWatched);
  }

  private boolean anyEntry(Predicate<Entry<?>> condition) {
    for (Map<String, Entry<?>> ofType : entries.values()) {
      for (Entry<?> entry : ofType.values()) {
        if (condition.test(entry)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Asks every server in use for the entry; the preferred one, if none is. */
  void subscribe(Entry<?> entry) {
    if (inUse.isEmpty()) {
      use(servers.get(0));
    } else {
      inUse.forEach(connection -> connection.subscribe(entry));
    }
    review();
  }

  void unwatched(Entry<?> entry, boolean tellServerSoon) {
    inUse.forEach(connection -> connection.unwatched(entry, tellServerSoon));
  }

  private void use(ServerConfig server) {
    Connection connection = connections.apply(server);
    connection.addUser(this);
    inUse.add(connection);
    forEachEntry(
        entry -> {
          if (entry.isWatched()) {
            connection.subscribe(entry);
          }
        });
  }

  /**
   * Nobody watches anything here: lets servers and entries go. A preferred server that others use
   * as well has to be told first; whoever comes back before it is finds everything as it was.
   *
   * @return whether everything is gone
   */
  boolean retire() {
    boolean toBeTold = !entries.isEmpty() && !inUse.isEmpty() && inUse.get(0).isNeededBesides(this);
    releaseAfter(toBeTold ? 0 : -1);
    return !toBeTold;
  }

  private void releaseAfter(int index) {
    while (inUse.size() > index + 1) {
      inUse.remove(inUse.size() - 1).removeUser(this);
    }
  }

  /** A server has answered: those that were only asked because it had not are let go. */
  void answeredBy(Connection connection) {
    int index = inUse.indexOf(connection);
    if (index < inUse.size() - 1) {
      connection.reclaim(this);
    }
    releaseAfter(index);
    review();
  }

  /**
   * Looks at the health of the server that counts: falls back if that helps, else notes what
   * watchers should know. Watchers are told by {@link #tellWatchers}.
   */
  void review() {
    if (inUse.isEmpty()) {
      return;
    }
    while (last().error() != null && inUse.size() < servers.size() && shouldFallBack()) {
      use(servers.get(inUse.size()));
    }
    Status error = last().error();
    if (error != null) {
      connectivityError = error;
      connectivitySequence = last().errorSequence();
    } else if (last().isProven()) {
      connectivityError = null;
    } // else a fallback is being tried: what was known stands until that is decided
  }

  private boolean shouldFallBack() {
    return anyEntry(
        e ->
            e.isWatched()
                && (fallbackOnReachabilityOnly || e.state().state() == CacheEntry.State.REQUESTED));
  }

  void tellWatchers() {
    forEachEntry(entry -> entry.tellWatchers(null));
  }

  /**
   * What is wrong with the way to the servers, for the watchers of one entry. Those who wait for a
   * first answer hear nothing while there is still a server that may give it.
   */
  @Nullable Status connectivityError(boolean cached) {
    boolean undecided = !inUse.isEmpty() && last().error() == null && !last().isProven();
    return !cached && undecided ? null : connectivityError;
  }

  long connectivitySequence() {
    return connectivitySequence;
  }

  boolean countsOn(Connection connection) {
    return !inUse.isEmpty() && last() == connection;
  }

  private Connection last() {
    return inUse.get(inUse.size() - 1);
  }
}
