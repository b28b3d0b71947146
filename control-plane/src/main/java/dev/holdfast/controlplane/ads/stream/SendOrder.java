// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Make before break. A resource that refers to a cluster is sent once the proxy has answered on the
 * cluster; a cluster is removed once nothing that the proxy runs refers to it. Routes that enable a
 * filter are sent once the proxy runs the filter; {@link ListenerTransition} keeps the filter in
 * the listener until no routes enable it.
 *
 * <p>Nothing else is waited for. A proxy requests routes, secrets and endpoints after it has
 * received the resource that refers to them, so waiting for those would never end.
 */
final class SendOrder {
  /** The types that have routes. */
  static final Set<ResourceType> ROUTING =
      Collections.unmodifiableSet(EnumSet.of(ResourceType.ROUTES, ResourceType.VIRTUAL_HOST));

  private static final List<ResourceType> REFERRERS =
      List.of(ResourceType.LISTENER, ResourceType.ROUTES, ResourceType.VIRTUAL_HOST);

  /** The types that a listener waits for while it warms. */
  private static final Set<ResourceType> WARMING =
      EnumSet.of(ResourceType.ROUTES, ResourceType.SECRET, ResourceType.EXTENSION);

  private SendOrder() {}

  /**
   * Whether the proxy has everything that must be there before a resource.
   *
   * @param running the version that the proxy runs; what that one needs is not checked
   */
  static boolean maySend(Resource resource, @Nullable Resource running, AdsStream stream) {
    return hasClusters(resource, running, stream) && hasFilters(resource, running, stream);
  }

  /**
   * Whether the proxy runs every filter that routes enable. Without it, requests would pass the
   * routes as if the policy did not exist.
   */
  private static boolean hasFilters(
      Resource resource, @Nullable Resource running, AdsStream stream) {
    if (!ROUTING.contains(resource.id().type()) || resource.filters().isEmpty()) {
      return true;
    }
    boolean[] all = {true};
    PersistentMap.diff(
        running == null ? PersistentMap.empty() : running.filters(),
        resource.filters(),
        (name, before, after) -> {
          if (all[0] && after != null && before == null) {
            all[0] = stream.proxy().runsFilter(name);
          }
        });
    return all[0];
  }

  /** Whether the proxy has answered on every cluster that a resource refers to. */
  private static boolean hasClusters(
      Resource resource, @Nullable Resource running, AdsStream stream) {
    if (resource.clusters().isEmpty()) {
      return true;
    }
    TypeStream clusters = stream.wildcardClusters();
    if (clusters != null && clusters.isOverdue()) {
      return true;
    }
    if (clusters == null) {
      return !stream.isReconnecting();
    }
    Snapshot view = stream.view();
    boolean[] answered = {true};
    PersistentMap.diff(
        running == null ? PersistentMap.empty() : running.clusters(),
        resource.clusters(),
        (name, before, after) -> {
          if (answered[0] && after != null && before == null) {
            answered[0] = clusters.hasAnswered(name, view.get(ResourceType.CLUSTER, name));
          }
        });
    return answered[0];
  }

  /**
   * Whether a rejected secret has to be replaced first. Envoy keeps it as long as anything refers
   * to it, and a little longer, and rejects whatever is built with it.
   */
  static boolean mustReplaceSecretFirst(ResourceType type, AdsStream stream) {
    if (type != ResourceType.LISTENER && type != ResourceType.CLUSTER) {
      return false;
    }
    TypeStream secrets = stream.typeStream(ResourceType.SECRET);
    return secrets != null && secrets.isReplacingRejected();
  }

  /**
   * Whether the rejection of a resource tells nothing about it: it was on its way when the proxy
   * rejected a secret that it may be built with, and that secret is about to be replaced.
   */
  static boolean mayBeRejectedForASecret(ResourceType type, AdsStream stream) {
    TypeStream secrets = stream.typeStream(ResourceType.SECRET);
    return mustReplaceSecretFirst(type, stream) && secrets != null && secrets.hasReplacement();
  }

  /**
   * Whether a new version of a resource that the proxy holds has to wait. When Envoy rejects a
   * resource, all listeners that wait for another resource of its type go live without it. So no
   * version is sent while listeners may be warming, whoever has accepted it: this proxy may be the
   * one that does not. The resources that they wait for go first.
   */
  static boolean mustNotRiskRejection(Resource resource, AdsStream stream) {
    if (!mayEndWarming(resource, stream)) {
      return false;
    }
    TypeStream listeners = stream.typeStream(ResourceType.LISTENER);
    return listeners != null && listeners.isInFlight();
  }

  /**
   * Whether a route table has to wait, also one that the proxy lacks: if the proxy rejected it, a
   * listener that waits for its hosts would go live without any.
   */
  static boolean mustWaitForHosts(Resource resource, AdsStream stream) {
    return resource.id().type() == ResourceType.ROUTES
        && stream.isWarmingHosts()
        && mayEndWarming(resource, stream);
  }

  /** Whether a rejection of a resource would have listeners go live that wait for another one. */
  static boolean mayEndWarming(Resource resource, AdsStream stream) {
    return WARMING.contains(resource.id().type())
        && stream.node().isEnvoy()
        && !resource.contributions().isEmpty(); // otherwise no author has a part in it
  }

  /**
   * Whether a missing resource may be reported. A cluster may not while the proxy runs something
   * that refers to it and is about to be replaced: the proxy would apply the error to what it runs.
   */
  static boolean mayReportMissing(ResourceType type, String name, AdsStream stream) {
    if (type == ResourceType.CLUSTER) {
      return mayRemoveCluster(name, stream.proxy());
    }
    return true;
  }

  /**
   * The clusters that the proxy runs, by the name of their endpoints. Missing endpoints may be
   * reported once each of their clusters may be removed.
   */
  static Map<String, List<String>> clustersByEdsName(AdsStream stream) {
    TypeStream clusters = stream.typeStream(ResourceType.CLUSTER);
    if (clusters == null) {
      return Map.of();
    }
    Map<String, List<String>> byName = new HashMap<>();
    EdsServiceNames names = stream.edsNames();
    clusters
        .running()
        .forEach(
            cluster -> {
              String name = names.of(cluster);
              if (name != null) {
                byName.computeIfAbsent(name, unused -> new ArrayList<>()).add(cluster.name());
              }
            });
    return byName;
  }

  /** Whether nothing that the proxy runs refers to a cluster. */
  static boolean mayRemoveCluster(String name, Proxy proxy) {
    for (AdsStream stream : proxy.streams()) {
      if (stream.isReconnecting()) {
        return false; // the proxy has not named everything that it runs
      }
      for (ResourceType type : REFERRERS) {
        TypeStream typeStream = stream.typeStream(type);
        if (typeStream != null && typeStream.mayReferTo(name)) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Whether a proxy that reconnected may run a cluster without having named it: Envoy does not
   * remember the versions of a response that it rejected, although it runs the good clusters of it.
   * What the proxy runs beside it tells.
   */
  static boolean mayRunUnnamed(String cluster, AdsStream stream) {
    TypeStream clusters = stream.typeStream(ResourceType.CLUSTER);
    if (clusters == null || clusters.reconnectState() == ReconnectState.NEW) {
      return false;
    }
    for (AdsStream each : stream.proxy().streams()) {
      if (each.isReconnecting()) {
        return true;
      }
      for (ResourceType type : REFERRERS) {
        TypeStream typeStream = each.typeStream(type);
        if (typeStream != null && typeStream.mayRunReferenceTo(cluster)) {
          return true;
        }
      }
    }
    return false;
  }
}
