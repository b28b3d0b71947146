// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import io.envoyproxy.envoy.config.listener.v3.Filter;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The way from one version of a listener to the next, if that one lacks filters of policies which
 * the routes of the proxy enable.
 *
 * <p>Listeners are sent before routes. Without the old filter, requests would pass the old routes
 * as if there were no policy. So the proxy first gets the new listener with the old filters added,
 * then the new filters and routes, then the new listener itself.
 */
final class ListenerTransition {
  private ListenerTransition() {}

  /**
   * The next version that a proxy is sent: the newest one, or a transition to it.
   *
   * @param running the version that the proxy runs; null if there is none
   */
  static Resource to(Resource newest, @Nullable Resource running, AdsStream stream) {
    if (newest.id().type() != ResourceType.LISTENER || running == null || running.equals(newest)) {
      return newest;
    }
    Set<String> dropped = new TreeSet<>();
    PersistentMap.diff(
        running.filters(),
        newest.filters(),
        (name, before, after) -> {
          if (after == null) {
            dropped.add(name);
          }
        });
    if (dropped.isEmpty()) {
      return newest;
    }
    boolean[] complete = {true};
    newest.filters().forEach((name, unused) -> complete[0] &= stream.proxy().runsFilter(name));
    Set<String> kept = new TreeSet<>(dropped);
    if (complete[0]) {
      kept.removeIf(name -> !stream.proxy().mayEnableFilter(name));
    }
    return kept.isEmpty() ? newest : merged(newest, running, kept);
  }

  /** Whether this is a transition, and the proxy has to be sent another version later. */
  static boolean isOne(Resource resource, AdsStream stream) {
    return resource.id().type() == ResourceType.LISTENER
        && !resource.filters().isEmpty()
        && !resource.equals(stream.view().get(resource.id()));
  }

  /**
   * The resource that a proxy was sent this one for. A proxy that rejects a transition cannot get
   * to the version behind it, so it rejects that, too.
   *
   * @param view what the proxy was served then
   */
  static Resource served(Resource sent, Snapshot view) {
    Resource served =
        sent.id().type() == ResourceType.LISTENER ? view.get(sent.id()) : /* itself */ sent;
    return served == null ? sent : served;
  }

  private static Resource merged(Resource newest, Resource running, Set<String> kept) {
    Listener listener;
    try {
      Listener before = Listener.parseFrom(running.body());
      listener = merged(Listener.parseFrom(newest.body()), before, kept);
      if (listener.equals(before)) {
        return running;
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(newest + " is not a listener", e);
    }
    PersistentMap<String, String> filters = newest.filters();
    for (String name : kept) {
      filters = filters.with(name, "");
    }
    ByteString body = Digests.serialise(listener);
    return new Resource(
        newest.id(),
        Digests.of(body),
        body,
        newest.audience(),
        newest.contributions(),
        newest.clusters(),
        filters,
        newest.provenance());
  }

  private static Listener merged(Listener newest, Listener running, Set<String> kept)
      throws InvalidProtocolBufferException {
    Map<String, FilterChain> before = new HashMap<>();
    running.getFilterChainsList().forEach(chain -> before.put(chain.getName(), chain));
    Listener.Builder merged = newest.toBuilder();
    for (FilterChain.Builder chain : merged.getFilterChainsBuilderList()) {
      FilterChain old = before.get(chain.getName());
      for (int i = 0; old != null && i < chain.getFiltersCount(); i++) {
        HttpConnectionManager next = manager(chain.getFilters(i));
        HttpConnectionManager last = i < old.getFiltersCount() ? manager(old.getFilters(i)) : null;
        if (next != null && last != null) {
          Any config =
              Any.newBuilder()
                  .setTypeUrl(chain.getFilters(i).getTypedConfig().getTypeUrl())
                  .setValue(Digests.serialise(merged(next, last, kept)))
                  .build();
          chain.getFiltersBuilder(i).setTypedConfig(config);
        }
      }
    }
    return merged.build();
  }

  private static @Nullable HttpConnectionManager manager(Filter filter)
      throws InvalidProtocolBufferException {
    return filter.getTypedConfig().is(HttpConnectionManager.class)
        ? filter.getTypedConfig().unpack(HttpConnectionManager.class)
        : null;
  }

  /** Adds the filters that are kept, each behind the one that it followed. */
  private static HttpConnectionManager merged(
      HttpConnectionManager next, HttpConnectionManager last, Set<String> kept) {
    List<HttpFilter> filters = new ArrayList<>(next.getHttpFiltersList());
    int at = 0;
    for (HttpFilter filter : last.getHttpFiltersList()) {
      int known = indexOf(filters, filter.getName());
      if (known >= 0) {
        at = known + 1;
      } else if (kept.contains(filter.getName())) {
        filters.add(at++, filter);
      }
    }
    return next.toBuilder().clearHttpFilters().addAllHttpFilters(filters).build();
  }

  private static int indexOf(List<HttpFilter> filters, String name) {
    for (int i = 0; i < filters.size(); i++) {
      if (filters.get(i).getName().equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
