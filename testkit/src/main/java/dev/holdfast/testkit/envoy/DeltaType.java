// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One type on an incremental stream: who wants what of it, what the server does not know of that
 * yet, and which versions were taken. A name that somebody wants already is not asked for again.
 */
final class DeltaType {
  private static final String WAITING = "";

  final String name;
  private final List<Subscription> watches = new ArrayList<>();

  /** By name, what is asked for, with its version once it was taken. */
  private final Map<String, String> wanted = new TreeMap<>();

  /** By name, what came because everything is asked for. */
  private final Map<String, String> unnamed = new TreeMap<>();

  private final TreeSet<String> added = new TreeSet<>();
  private final TreeSet<String> removed = new TreeSet<>();
  private boolean silent = true;

  /** Once everything was asked for, it is for ever, even if nobody wants it any more. */
  private boolean wildcard;

  DeltaType(String name) {
    this.name = name;
  }

  List<Subscription> watches() {
    return List.copyOf(watches);
  }

  boolean has(Subscription watch) {
    return watches.contains(watch);
  }

  List<Subscription> interestedIn(String resource) {
    return watches.stream().filter(watch -> watch.isInterestedIn(resource)).toList();
  }

  void add(Subscription watch) {
    watches.add(watch);
    wildcard |= watch.isWildcard();
    for (String resource : watch.names) {
      if (!wanted.containsKey(resource)) {
        wanted.put(resource, WAITING);
        removed.remove(resource);
        added.add(resource);
      }
    }
  }

  void remove(Subscription watch) {
    watches.remove(watch);
    for (String resource : watch.names) {
      if (watches.stream().noneMatch(other -> other.names.contains(resource))) {
        wanted.remove(resource);
        added.remove(resource);
        removed.add(resource);
      }
    }
  }

  /** Remembers the versions of a response that was taken as a whole. */
  void note(DeltaDiscoveryResponse response) {
    for (Resource resource : response.getResourcesList()) {
      if (wanted.containsKey(resource.getName())) {
        wanted.put(resource.getName(), resource.getVersion());
      } else if (wildcard) {
        unnamed.put(resource.getName(), resource.getVersion());
      }
    }
    for (String resource : response.getRemovedResourcesList()) {
      wanted.replace(resource, WAITING);
      unnamed.remove(resource);
    }
  }

  /** Everything has to be said again. */
  void newStream() {
    silent = true;
    added.clear();
    removed.clear();
  }

  boolean hasNews() {
    return !added.isEmpty() || !removed.isEmpty() || (silent && (wildcard || !wanted.isEmpty()));
  }

  /** What the server does not know yet. */
  DeltaDiscoveryRequest.Builder news() {
    DeltaDiscoveryRequest.Builder request = DeltaDiscoveryRequest.newBuilder().setTypeUrl(name);
    if (silent) {
      silent = false;
      added.addAll(wanted.keySet());
      wanted.forEach(
          (resource, version) -> {
            if (!version.equals(WAITING)) {
              request.putInitialResourceVersions(resource, version);
            }
          });
      request.putAllInitialResourceVersions(unnamed);
    }
    request.addAllResourceNamesSubscribe(added).addAllResourceNamesUnsubscribe(removed);
    added.clear();
    removed.clear();
    return request;
  }
}
