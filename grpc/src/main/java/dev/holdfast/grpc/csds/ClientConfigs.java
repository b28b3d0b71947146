// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.csds;

import com.google.protobuf.Any;
import com.google.protobuf.Timestamp;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.ResourceStatus;
import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.admin.v3.UpdateFailureState;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.grpc.Status;
import java.time.Instant;
import java.util.List;

/**
 * A client's dump as CSDS has it. Whether a resource is kept in spite of an error is not in its
 * status but in whether its contents are there.
 */
final class ClientConfigs {
  private ClientConfigs() {}

  static ClientConfig of(
      String scope, Node node, List<ResourceStatus> resources, boolean withoutContents) {
    ClientConfig.Builder config = ClientConfig.newBuilder().setNode(node).setClientScope(scope);
    for (ResourceStatus resource : resources) {
      config.addGenericXdsConfigs(of(resource, withoutContents));
    }
    return config.build();
  }

  private static GenericXdsConfig of(ResourceStatus resource, boolean withoutContents) {
    String typeUrl = resource.type().typeUrl();
    GenericXdsConfig.Builder config =
        GenericXdsConfig.newBuilder()
            .setTypeUrl(typeUrl)
            .setName(resource.name())
            .setClientStatus(of(resource.entry().state()));
    CacheEntry.Cached<?> kept = resource.entry().resource();
    if (kept != null) {
      config.setVersionInfo(kept.version()).setLastUpdated(of(kept.updated()));
      if (!withoutContents) {
        config.setXdsConfig(
            Any.newBuilder().setTypeUrl(typeUrl).setValue(kept.serialized()).build());
      }
    }
    CacheEntry.Failure failure = resource.entry().failure();
    if (failure != null) {
      config.setErrorState(of(failure));
    }
    return config.build();
  }

  /** Total: a state that is added to the engine does not compile until it has a value here. */
  static ClientResourceStatus of(CacheEntry.State state) {
    return switch (state) {
      case REQUESTED -> ClientResourceStatus.REQUESTED;
      case DOES_NOT_EXIST -> ClientResourceStatus.DOES_NOT_EXIST;
      case ACKED -> ClientResourceStatus.ACKED;
      case NACKED -> ClientResourceStatus.NACKED;
      case RECEIVED_ERROR -> ClientResourceStatus.RECEIVED_ERROR;
      case TIMEOUT -> ClientResourceStatus.TIMEOUT;
    };
  }

  private static UpdateFailureState of(CacheEntry.Failure failure) {
    UpdateFailureState.Builder state =
        UpdateFailureState.newBuilder()
            .setDetails(details(failure.status()))
            .setVersionInfo(failure.version());
    if (failure.time() != null) {
      state.setLastUpdateAttempt(of(failure.time()));
    }
    return state.build();
  }

  private static String details(Status status) {
    String description = status.getDescription();
    return description == null ? status.getCode().name() : status.getCode() + ": " + description;
  }

  private static Timestamp of(Instant time) {
    return Timestamp.newBuilder()
        .setSeconds(time.getEpochSecond())
        .setNanos(time.getNano())
        .build();
  }
}
