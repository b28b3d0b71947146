// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.objects.service.ServiceAnnotations;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.host.ClusterDemand;
import dev.holdfast.controlplane.translate.host.ClusterPolicy;
import dev.holdfast.controlplane.translate.host.PlannedCluster;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import dev.holdfast.controlplane.translate.host.SecretDemand;
import dev.holdfast.controlplane.translate.index.BackendTls;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.proto.cluster.ClusterSpec;
import dev.holdfast.controlplane.translate.proto.cluster.Clusters;
import dev.holdfast.controlplane.translate.proto.cluster.Protocols;
import dev.holdfast.controlplane.translate.proto.cluster.UpstreamTls;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Builds the resource of a cluster from its service and from the policies of the routes that use
 * it.
 */
public record ClusterBuilder(ConfigSource ads, Duration connectTimeout) {
  private static final ServiceAnnotations NO_SETTINGS =
      new ServiceAnnotations(null, null, null, null, null, Collections.emptySortedMap());

  /**
   * The cluster; null if its service no longer exists, in which case the hosts that use it are
   * derived again as well.
   */
  ClusterStage.@Nullable PlannedResource build(
      PersistentMap<String, ClusterDemand> demands, FactReader reader) {
    // All demands have the same spec: a cluster is either plain, or belongs to one proxy.
    PlannedCluster cluster = demands.iterator().next().getValue().spec();
    IndexedObject indexed = reader.indexed(cluster.service());
    if (indexed == null || !(indexed.typed() instanceof Service service)) {
      return null;
    }
    SecretDemand authority = authority(cluster);
    BackendTls tls = reader.settings().backendTls();
    ByteString bytes =
        bytes(cluster, service.settings(), cluster.policy(), cluster.protocol(), authority, tls);
    PersistentMap<ObjectKey, String> parts = PersistentMap.empty();
    // The part of each contributor is the cluster as it would be without the settings of the other.
    parts =
        parts.with(
            cluster.service(),
            Digests.of(
                bytes(
                    cluster,
                    service.settings(),
                    ClusterPolicy.PLAIN,
                    Protocols.of(null, service, cluster.port()),
                    null,
                    tls)));
    if (cluster.owner() != null) {
      parts =
          parts.with(
              cluster.owner(),
              Digests.of(
                  bytes(
                      cluster,
                      NO_SETTINGS,
                      cluster.policy(),
                      cluster.policy().protocol(),
                      authority,
                      tls)));
    }
    FieldOrigin origin = new FieldOrigin(cluster.service(), indexed.generation(), "spec");
    Resource resource =
        new Resource(
            ResourceNames.cluster(cluster.name()),
            Digests.of(bytes),
            bytes,
            Resource.Audience.ALL,
            parts,
            PersistentMap.empty(),
            () -> places(origin, demands));
    return new ClusterStage.PlannedResource(
        resource,
        cluster.externalName().isEmpty()
            ? new EndpointStage.EndpointDemand(cluster.service(), cluster.port())
            : null,
        secrets(cluster, authority, tls));
  }

  private static List<SecretDemand> secrets(
      PlannedCluster cluster, @Nullable SecretDemand authority, BackendTls tls) {
    List<SecretDemand> secrets = new ArrayList<>();
    if (authority != null) {
      secrets.add(authority);
    }
    if (cluster.usesTls() && tls.clientCertificate() != null) {
      secrets.add(SecretDemand.server(tls.clientCertificate()));
    }
    return secrets;
  }

  private ByteString bytes(
      PlannedCluster cluster,
      ServiceAnnotations settings,
      ClusterPolicy policy,
      @Nullable Protocol protocol,
      @Nullable SecretDemand authority,
      BackendTls tls) {
    UpstreamTls.Validation validation =
        authority == null || policy.validation() == null
            ? null
            : new UpstreamTls.Validation(authority.id().name(), policy.validation().subjectNames());
    ClusterSpec spec =
        new ClusterSpec(
            cluster.name(),
            destination(cluster),
            settings,
            protocol,
            new UpstreamTls(
                policy.serverName().isEmpty() ? cluster.externalName() : policy.serverName(),
                validation,
                tls.clientCertificate() == null
                    ? null
                    : ResourceNames.serverCertificate(tls.clientCertificate()).name(),
                tls.minimum(),
                tls.maximum()),
            policy.loadBalancing(),
            policy.healthCheck(),
            policy.idleConnection());
    return Digests.serialise(Clusters.of(spec, ads, connectTimeout));
  }

  private static ClusterSpec.Destination destination(PlannedCluster cluster) {
    return cluster.externalName().isEmpty()
        ? new ClusterSpec.Endpoints(
            ResourceNames.endpoints(cluster.service(), cluster.port()).name())
        : new ClusterSpec.DnsName(cluster.externalName(), cluster.port().port());
  }

  private static @Nullable SecretDemand authority(PlannedCluster cluster) {
    return cluster.policy().validation() == null || !cluster.usesTls()
        ? null
        : SecretDemand.authority(
            References.secret(
                cluster.policy().validation().caSecret(), cluster.service().namespace()));
  }

  private static List<SourcePlace> places(
      FieldOrigin service, PersistentMap<String, ClusterDemand> demands) {
    List<SourcePlace> places = new ArrayList<>();
    places.add(service.of(""));
    demands.forEach(
        (host, demand) ->
            demand
                .origins()
                .forEach(
                    origin -> {
                      SourcePlace place = origin.of("");
                      if (!places.contains(place)) {
                        places.add(place);
                      }
                    }));
    return places;
  }
}
