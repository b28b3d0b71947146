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

/** Makes a cluster of a service and of what routes want of it. */
public record ClusterBuilder(ConfigSource ads, Duration connectTimeout) {
  private static final ServiceAnnotations NO_SETTINGS =
      new ServiceAnnotations(null, null, null, null, null, Collections.emptySortedMap());

  /** The cluster; null if its service is no more, of which those who ask hear as well. */
  ClusterStage.@Nullable PlannedResource make(
      PersistentMap<String, ClusterDemand> askers, FactReader reader) {
    // All want the same: a cluster is either plain, or of one owner.
    PlannedCluster wanted = askers.iterator().next().getValue().spec();
    IndexedObject input = reader.input(wanted.service());
    if (input == null || !(input.typed() instanceof Service service)) {
      return null;
    }
    SecretDemand authority = authority(wanted);
    ByteString bytes =
        bytes(wanted, service.settings(), wanted.policy(), wanted.protocol(), authority);
    PersistentMap<ObjectKey, String> parts = PersistentMap.empty();
    // Each one's part is what would be there if the other had nothing to say.
    parts =
        parts.with(
            wanted.service(),
            Digests.of(
                bytes(
                    wanted,
                    service.settings(),
                    ClusterPolicy.PLAIN,
                    Protocols.of(null, service, wanted.port()),
                    null)));
    if (wanted.owner() != null) {
      parts =
          parts.with(
              wanted.owner(),
              Digests.of(
                  bytes(
                      wanted,
                      NO_SETTINGS,
                      wanted.policy(),
                      wanted.policy().protocol(),
                      authority)));
    }
    FieldOrigin origin = new FieldOrigin(wanted.service(), input.generation(), "spec");
    Resource resource =
        new Resource(
            ResourceNames.cluster(wanted.name()),
            Digests.of(bytes),
            bytes,
            Resource.Audience.ALL,
            parts,
            PersistentMap.empty(),
            () -> places(origin, askers));
    return new ClusterStage.PlannedResource(
        resource, new EndpointStage.Wanted(wanted.service(), wanted.port()), authority);
  }

  private ByteString bytes(
      PlannedCluster wanted,
      ServiceAnnotations settings,
      ClusterPolicy policy,
      @Nullable Protocol protocol,
      @Nullable SecretDemand authority) {
    UpstreamTls.Validation validation =
        authority == null || policy.validation() == null
            ? null
            : new UpstreamTls.Validation(authority.id().name(), policy.validation().subjectNames());
    ClusterSpec spec =
        new ClusterSpec(
            wanted.name(),
            ResourceNames.endpoints(wanted.service(), wanted.port()).name(),
            settings,
            protocol,
            new UpstreamTls(policy.serverName(), validation),
            policy.loadBalancing(),
            policy.healthCheck(),
            policy.idleConnection());
    return Digests.serialise(Clusters.of(spec, ads, connectTimeout));
  }

  private static @Nullable SecretDemand authority(PlannedCluster wanted) {
    return wanted.policy().validation() == null || !wanted.usesTls()
        ? null
        : new SecretDemand(
            References.secret(
                wanted.policy().validation().caSecret(), wanted.service().namespace()),
            References.Use.AUTHORITY);
  }

  private static List<SourcePlace> places(
      FieldOrigin service, PersistentMap<String, ClusterDemand> askers) {
    List<SourcePlace> places = new ArrayList<>();
    places.add(service.of(""));
    askers.forEach(
        (host, demand) ->
            demand
                .askers()
                .forEach(
                    asker -> {
                      SourcePlace place = asker.of("");
                      if (!places.contains(place)) {
                        places.add(place);
                      }
                    }));
    return places;
  }
}
