// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.xds;

import com.google.protobuf.Any;
import com.google.protobuf.Timestamp;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.ProxyReport.ErrorReport;
import dev.holdfast.controlplane.report.ProxyReport.StreamReport;
import dev.holdfast.controlplane.report.ProxyReport.TypeReport;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.server.proto.Redaction;
import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.admin.v3.UpdateFailureState;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ConfigStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of proxies as CSDS has it: of every resource that a proxy was sent, or that it asks for
 * by asking for all, in the version that is served now.
 */
final class ClientConfigs {
  /** Whether the resources themselves are included. */
  enum Contents {
    REDACTED,
    LEFT_OUT
  }

  private final List<Known> resources;
  private final Contents contents;
  private final Map<ResourceId, Optional<Any>> bodies = new HashMap<>();

  private record Known(
      Resource resource, Set<String> accepted, Set<String> pending, Set<String> rejected) {}

  ClientConfigs(List<ResourceReport> resources, Contents contents) {
    this.resources =
        resources.stream()
            .map(
                report ->
                    new Known(
                        report.resource(),
                        new HashSet<>(report.accepted()),
                        new HashSet<>(report.pending()),
                        new HashSet<>(report.rejected())))
            .toList();
    this.contents = contents;
  }

  ClientConfig of(ProxyReport proxy) {
    ClientConfig.Builder config =
        ClientConfig.newBuilder()
            .setNode(
                Node.newBuilder()
                    .setId(proxy.node())
                    .setCluster(proxy.cluster())
                    .setUserAgentName(proxy.agent()));
    for (Known known : resources) {
      GenericXdsConfig resource = of(proxy, known);
      if (resource != null) {
        config.addGenericXdsConfigs(resource);
      }
    }
    return config.build();
  }

  /** Null if the resource is none of the proxy's business. */
  private @Nullable GenericXdsConfig of(ProxyReport proxy, Known known) {
    Resource resource = known.resource;
    GenericXdsConfig.Builder config =
        GenericXdsConfig.newBuilder()
            .setTypeUrl(resource.id().type().typeUrl())
            .setName(resource.name());
    if (known.rejected.contains(proxy.node())) {
      config
          .setConfigStatus(ConfigStatus.ERROR)
          .setClientStatus(ClientResourceStatus.NACKED)
          .setErrorState(failure(proxy, resource));
    } else if (known.pending.contains(proxy.node())) {
      config.setConfigStatus(ConfigStatus.STALE).setClientStatus(ClientResourceStatus.REQUESTED);
    } else if (known.accepted.contains(proxy.node())) {
      config
          .setConfigStatus(ConfigStatus.SYNCED)
          .setClientStatus(ClientResourceStatus.ACKED)
          .setVersionInfo(resource.version());
      body(resource).ifPresent(config::setXdsConfig);
    } else if (asksForAll(proxy, resource)) {
      config.setConfigStatus(ConfigStatus.NOT_SENT).setClientStatus(ClientResourceStatus.REQUESTED);
    } else {
      return null;
    }
    return config.build();
  }

  private static boolean asksForAll(ProxyReport proxy, Resource resource) {
    return resource.audience() == Resource.Audience.ALL
        && proxy.streams().stream()
            .flatMap(stream -> stream.types().stream())
            .anyMatch(type -> type.type() == resource.id().type() && type.wildcard());
  }

  /** Reading and writing it once is enough for any number of proxies. */
  private Optional<Any> body(Resource resource) {
    if (contents == Contents.LEFT_OUT) {
      return Optional.empty();
    }
    return bodies.computeIfAbsent(
        resource.id(),
        id ->
            Redaction.parse(id.type().typeUrl(), resource.body())
                .map(
                    message ->
                        Any.newBuilder()
                            .setTypeUrl(id.type().typeUrl())
                            .setValue(message.toByteString())
                            .build()));
  }

  private static UpdateFailureState failure(ProxyReport proxy, Resource resource) {
    UpdateFailureState.Builder state =
        UpdateFailureState.newBuilder().setVersionInfo(resource.version());
    ErrorReport error = error(proxy, resource.id());
    if (error != null) {
      state.setDetails(error.message()).setLastUpdateAttempt(timestamp(error.at()));
    }
    return state.build();
  }

  /** The rejection that names the resource, else the latest one of its type. */
  private static @Nullable ErrorReport error(ProxyReport proxy, ResourceId id) {
    ErrorReport latest = null;
    for (StreamReport stream : proxy.streams()) {
      for (TypeReport type : stream.types()) {
        ErrorReport error = type.lastError();
        if (error != null && type.type() == id.type()) {
          if (names(error, id.type(), id.name())) {
            return error;
          }
          latest = latest == null || error.at().isAfter(latest.at()) ? error : latest;
        }
      }
    }
    return latest;
  }

  private static boolean names(ErrorReport error, ResourceType type, String name) {
    return error.resources().contains(name)
        || error.resources().contains(new ResourceId(type, name).toString());
  }

  private static Timestamp timestamp(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }
}
