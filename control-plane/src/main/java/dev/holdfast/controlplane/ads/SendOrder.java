// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Make before break. What refers to a cluster goes out once the proxy has judged the cluster; a
 * cluster goes away once nothing that the proxy runs refers to it.
 *
 * <p>Only clusters are waited for. Routes, secrets and endpoints are asked for by a proxy that has
 * got what refers to them, so waiting for those would be waiting for ever.
 */
final class SendOrder {
  private static final List<ResourceType> REFERRERS =
      List.of(ResourceType.LISTENER, ResourceType.ROUTES);

  /** What listeners wait for before they go live. */
  private static final Set<ResourceType> AWAITED =
      EnumSet.of(ResourceType.ROUTES, ResourceType.SECRET, ResourceType.EXTENSION);

  private SendOrder() {}

  /** Whether everything that a resource refers to, and its earlier version did not, was judged. */
  static boolean maySend(Resource wanted, @Nullable Resource held, AdsStream stream) {
    if (wanted.clusters().isEmpty()) {
      return true;
    }
    TypeStream clusters = stream.allClusters();
    if (clusters != null && clusters.gaveUpWaiting()) {
      return true;
    }
    if (clusters == null) {
      return !stream.isArriving();
    }
    Snapshot view = stream.view();
    boolean[] open = {true};
    PersistentMap.diff(
        held == null ? PersistentMap.empty() : held.clusters(),
        wanted.clusters(),
        (name, before, after) -> {
          if (open[0] && after != null && before == null) {
            open[0] = clusters.hasJudged(name, view.get(ResourceType.CLUSTER, name));
          }
        });
    return open[0];
  }

  /**
   * Whether a secret has to be replaced first. Envoy keeps one that it refused, as long as anything
   * refers to it or did so until lately, and refuses whatever is built with it.
   */
  static boolean mustMend(ResourceType type, AdsStream stream) {
    if (type != ResourceType.LISTENER && type != ResourceType.CLUSTER) {
      return false;
    }
    TypeStream secrets = stream.typeStream(ResourceType.SECRET);
    return secrets != null && secrets.isMending();
  }

  /**
   * Whether something that the proxy has in another version has to wait. When Envoy refuses one of
   * a type, all listeners that wait for another of that type go live without it. So nothing goes
   * out that may be refused while they may wait: what they asked for is sent first.
   */
  static boolean mustNotRisk(Resource wanted, AdsStream stream) {
    if (!AWAITED.contains(wanted.id().type())
        || !stream.node().isEnvoy()
        || stream.isProven(wanted)) {
      return false;
    }
    TypeStream listeners = stream.typeStream(ResourceType.LISTENER);
    return listeners != null && listeners.inFlight() != null && !listeners.gaveUpWaiting();
  }

  /**
   * Whether one that asks for clusters or endpoints may hear that there are none. Not as long as
   * what it runs refers to them and is about to be replaced: it would take that for the truth about
   * what it runs.
   */
  static boolean maySayMissing(ResourceType type, String name, AdsStream stream) {
    if (type == ResourceType.CLUSTER) {
      return mayRemoveCluster(name, stream.proxy());
    }
    TypeStream clusters = stream.typeStream(ResourceType.CLUSTER);
    if (type != ResourceType.ENDPOINTS || clusters == null) {
      return true;
    }
    boolean[] may = {true};
    EdsServiceNames names = stream.server().edsNames();
    clusters
        .running()
        .forEach(
            cluster ->
                may[0] &=
                    !name.equals(names.of(cluster))
                        || mayRemoveCluster(cluster.name(), stream.proxy()));
    return may[0];
  }

  /** Whether nothing that the proxy runs refers to a cluster that is wanted no longer. */
  static boolean mayRemoveCluster(String name, Proxy proxy) {
    for (AdsStream stream : proxy.streams()) {
      if (stream.isArriving()) {
        return false; // it has not said yet what else it runs
      }
      for (ResourceType type : REFERRERS) {
        TypeStream typeStream = stream.typeStream(type);
        if (typeStream != null && typeStream.mayStillUse(name)) {
          return false;
        }
      }
    }
    return true;
  }
}
