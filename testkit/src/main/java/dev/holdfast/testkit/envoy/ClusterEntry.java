// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.Validator.Stage;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One cluster, from when it was read to when it is thrown away. First come its endpoints, then its
 * secrets, then it is warm.
 */
final class ClusterEntry implements Subscription.Callbacks {
  final Cluster config;
  private final Clusters owner;
  private final List<Providers.Secrets> secrets = new ArrayList<>();
  private List<String> endpoints = List.of();
  private @Nullable Subscription eds;
  private @Nullable Warming warming;
  private Runnable whenWarm = () -> {};
  private boolean hasEndpoints;

  /** Reads a cluster, or throws {@link RejectedException}. */
  ClusterEntry(Cluster config, Clusters owner) {
    this.config = config;
    this.owner = owner;
    Decoder.check(owner.validators, Stage.APPLY, config);
    if (!isEds()) {
      endpoints = addresses(config.getLoadAssignment());
    }
    try {
      for (Reference reference : References.secrets(config)) {
        Providers.Secrets secret = owner.providers.secret(reference);
        secrets.add(secret);
        secret.use(this);
      }
    } catch (RejectedException e) {
      secrets.forEach(secret -> owner.providers.release(secret, this));
      throw e;
    }
  }

  boolean isEds() {
    return config.getType() == Cluster.DiscoveryType.EDS;
  }

  String serviceName() {
    String name = config.getEdsClusterConfig().getServiceName();
    return name.isEmpty() ? config.getName() : name;
  }

  List<String> endpoints() {
    return endpoints;
  }

  /** Starts to warm; runs a task when that is done. */
  void warm(Runnable done) {
    whenWarm = done;
    if (!isEds()) {
      endpointsDone();
      return;
    }
    Subscription subscription =
        new Subscription(
            TypeUrls.CLUSTER_LOAD_ASSIGNMENT,
            Set.of(serviceName()),
            this,
            owner.stats,
            "cluster.%s.".formatted(config.getName()));
    eds = subscription;
    owner.mux.subscribe(
        subscription, Reference.timeout(config.getEdsClusterConfig().getEdsConfig()));
  }

  void close() {
    if (warming != null) {
      warming.cancel();
    }
    whenWarm = () -> {};
    if (eds != null) {
      owner.mux.unsubscribe(eds);
    }
    secrets.forEach(secret -> owner.providers.release(secret, this));
  }

  @Override
  public void update(List<DecodedResource> added, List<String> removed, String version) {
    if (!added.isEmpty()) {
      ClusterLoadAssignment assignment = (ClusterLoadAssignment) added.get(0).message();
      if (!assignment.getClusterName().equals(serviceName())) {
        throw new RejectedException(
            "Unexpected EDS cluster (expecting %s): %s"
                .formatted(serviceName(), assignment.getClusterName()));
      }
      Decoder.check(owner.validators, Stage.APPLY, assignment);
      endpoints = addresses(assignment);
      owner.cache(assignment);
    }
    endpointsDone();
  }

  @Override
  public void failed(Subscription.Failure why) {
    ClusterLoadAssignment cached = owner.cached(serviceName());
    if (why == Subscription.Failure.TIMED_OUT && cached != null) {
      endpoints = addresses(cached);
    }
    endpointsDone();
  }

  private void endpointsDone() {
    if (!hasEndpoints) {
      hasEndpoints = true;
      warming = Warming.start(secrets, () -> whenWarm.run());
    }
  }

  private static List<String> addresses(ClusterLoadAssignment assignment) {
    return assignment.getEndpointsList().stream()
        .flatMap(locality -> locality.getLbEndpointsList().stream())
        .map(
            endpoint -> {
              SocketAddress address = endpoint.getEndpoint().getAddress().getSocketAddress();
              return address.getAddress() + ":" + address.getPortValue();
            })
        .toList();
  }
}
