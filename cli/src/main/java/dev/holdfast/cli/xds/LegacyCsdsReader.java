// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.protobuf.Any;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.holdfast.server.proto.ProtoTypes;
import io.envoyproxy.envoy.admin.v3.ClustersConfigDump;
import io.envoyproxy.envoy.admin.v3.ClustersConfigDump.DynamicCluster;
import io.envoyproxy.envoy.admin.v3.EndpointsConfigDump.DynamicEndpointConfig;
import io.envoyproxy.envoy.admin.v3.ListenersConfigDump.DynamicListener;
import io.envoyproxy.envoy.admin.v3.ListenersConfigDump.DynamicListenerState;
import io.envoyproxy.envoy.admin.v3.RoutesConfigDump.DynamicRouteConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.PerXdsConfig;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads the form of CSDS that lists resources by type, which was replaced but is still sent by
 * older servers, into the form that lists them all alike.
 */
final class LegacyCsdsReader {
  private LegacyCsdsReader() {}

  @SuppressWarnings("deprecation") // that it is deprecated is why this class exists
  static Stream<GenericXdsConfig> configs(ClientConfig client) {
    return client.getXdsConfigList().stream()
        .flatMap(
            config ->
                resources(config)
                    .map(resource -> resource.setConfigStatus(config.getStatus()).build()));
  }

  private static Stream<GenericXdsConfig.Builder> resources(PerXdsConfig config) {
    return switch (config.getPerXdsConfigCase()) {
      case LISTENER_CONFIG ->
          config.getListenerConfig().getDynamicListenersList().stream()
              .map(LegacyCsdsReader::listener);
      case CLUSTER_CONFIG -> clusters(config.getClusterConfig()).map(LegacyCsdsReader::cluster);
      case ROUTE_CONFIG ->
          config.getRouteConfig().getDynamicRouteConfigsList().stream()
              .map(LegacyCsdsReader::route);
      case ENDPOINT_CONFIG ->
          config.getEndpointConfig().getDynamicEndpointConfigsList().stream()
              .map(LegacyCsdsReader::endpoint);
      case SCOPED_ROUTE_CONFIG, PERXDSCONFIG_NOT_SET -> Stream.empty();
    };
  }

  private static Stream<DynamicCluster> clusters(ClustersConfigDump dump) {
    return Stream.of(dump.getDynamicActiveClustersList(), dump.getDynamicWarmingClustersList())
        .flatMap(List::stream);
  }

  private static GenericXdsConfig.Builder listener(DynamicListener from) {
    DynamicListenerState state =
        from.hasActiveState() ? from.getActiveState() : from.getWarmingState();
    return resource(state, state.getListener())
        .setTypeUrl("type.googleapis.com/envoy.config.listener.v3.Listener")
        .setName(from.getName())
        .mergeFrom(failure(from));
  }

  private static GenericXdsConfig.Builder cluster(DynamicCluster from) {
    return resource(from, from.getCluster()).mergeFrom(failure(from));
  }

  private static GenericXdsConfig.Builder route(DynamicRouteConfig from) {
    return resource(from, from.getRouteConfig()).mergeFrom(failure(from));
  }

  private static GenericXdsConfig.Builder endpoint(DynamicEndpointConfig from) {
    return resource(from, from.getEndpointConfig()).mergeFrom(failure(from));
  }

  /** The messages of the four types have these fields in common, by name though not by type. */
  private static GenericXdsConfig.Builder resource(Message from, Any content) {
    GenericXdsConfig.Builder to = GenericXdsConfig.newBuilder();
    copy(from, "version_info", to);
    copy(from, "last_updated", to);
    if (!content.equals(Any.getDefaultInstance())) {
      to.setXdsConfig(content).setTypeUrl(content.getTypeUrl()).setName(name(content));
    }
    return to;
  }

  private static GenericXdsConfig failure(Message from) {
    GenericXdsConfig.Builder to = GenericXdsConfig.newBuilder();
    copy(from, "client_status", to);
    copy(from, "error_state", to);
    return to.build();
  }

  private static void copy(Message from, String field, GenericXdsConfig.Builder to) {
    FieldDescriptor source = from.getDescriptorForType().findFieldByName(field);
    if (from.getAllFields().containsKey(source)) {
      to.setField(to.getDescriptorForType().findFieldByName(field), from.getField(source));
    }
  }

  /** The name is only inside of the resource, in {@code name} or {@code cluster_name}. */
  private static String name(Any content) {
    String typeName = content.getTypeUrl().substring(content.getTypeUrl().lastIndexOf('/') + 1);
    return ProtoTypes.find(typeName).map(type -> name(type, content)).orElse("");
  }

  private static String name(Message type, Any content) {
    try {
      Message resource = type.getParserForType().parseFrom(content.getValue());
      return Stream.of("name", "cluster_name")
          .map(field -> type.getDescriptorForType().findFieldByName(field))
          .filter(field -> field != null)
          .map(field -> String.valueOf(resource.getField(field)))
          .findFirst()
          .orElse("");
    } catch (InvalidProtocolBufferException e) {
      return "";
    }
  }
}
