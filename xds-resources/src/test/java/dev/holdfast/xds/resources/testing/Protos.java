// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.TypeRegistry;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.clusters.aggregate.v3.ClusterConfig;
import io.envoyproxy.envoy.extensions.filters.http.fault.v3.HTTPFault;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBAC;
import io.envoyproxy.envoy.extensions.filters.http.rbac.v3.RBACPerRoute;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSession;
import io.envoyproxy.envoy.extensions.filters.http.stateful_session.v3.StatefulSessionPerRoute;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.http.stateful_session.cookie.v3.CookieBasedSessionState;
import io.envoyproxy.envoy.extensions.load_balancing_policies.client_side_weighted_round_robin.v3.ClientSideWeightedRoundRobin;
import io.envoyproxy.envoy.extensions.load_balancing_policies.least_request.v3.LeastRequest;
import io.envoyproxy.envoy.extensions.load_balancing_policies.pick_first.v3.PickFirst;
import io.envoyproxy.envoy.extensions.load_balancing_policies.ring_hash.v3.RingHash;
import io.envoyproxy.envoy.extensions.load_balancing_policies.round_robin.v3.RoundRobin;
import io.envoyproxy.envoy.extensions.load_balancing_policies.wrr_locality.v3.WrrLocality;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import io.envoyproxy.envoy.extensions.upstreams.http.v3.HttpProtocolOptions;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Builds serialized resources from protobuf's text format, in which an Any is written out as {@code
 * [TYPE/some.Message] {...}}. {@code TYPE} is short for {@code type.googleapis.com}.
 */
public final class Protos {
  /** For the configuration of extensions that this client does not know. */
  public static final String UNKNOWN_EXTENSION = "type_url: \"TYPE/acme.Unknown\" value: \"\"";

  private static final TextFormat.Parser PARSER =
      TextFormat.Parser.newBuilder()
          .setTypeRegistry(
              TypeRegistry.newBuilder()
                  .add(HttpConnectionManager.getDescriptor())
                  .add(Router.getDescriptor())
                  .add(HTTPFault.getDescriptor())
                  .add(StatefulSession.getDescriptor())
                  .add(StatefulSessionPerRoute.getDescriptor())
                  .add(CookieBasedSessionState.getDescriptor())
                  .add(RBAC.getDescriptor())
                  .add(RBACPerRoute.getDescriptor())
                  .add(HttpProtocolOptions.getDescriptor())
                  .add(FilterConfig.getDescriptor())
                  .add(ClusterConfig.getDescriptor())
                  .add(RoundRobin.getDescriptor())
                  .add(RingHash.getDescriptor())
                  .add(LeastRequest.getDescriptor())
                  .add(PickFirst.getDescriptor())
                  .add(WrrLocality.getDescriptor())
                  .add(ClientSideWeightedRoundRobin.getDescriptor())
                  .add(UpstreamTlsContext.getDescriptor())
                  .add(DownstreamTlsContext.getDescriptor())
                  .add(com.github.xds.type.v3.TypedStruct.getDescriptor())
                  .add(com.github.udpa.udpa.type.v1.TypedStruct.getDescriptor())
                  .build())
          .build();

  /**
   * Numbers that no value has, which the text format takes only since protobuf 4: read as these
   * values first.
   */
  private static final Map<String, String> STAND_INS =
      Map.of(
          "denominator", "MILLION",
          "source_type", "EXTERNAL",
          "health_status", "DEGRADED",
          "type", "ORIGINAL_DST");

  private static final Pattern ENUM_NUMBER =
      Pattern.compile("\\b(denominator|source_type|health_status|type): (\\d+)\\b");

  private Protos() {}

  public static ByteString cluster(String text) {
    return merge(text, Cluster.newBuilder()).toByteString();
  }

  public static ByteString listener(String text) {
    return merge(text, Listener.newBuilder()).toByteString();
  }

  public static ByteString routeConfiguration(String text) {
    return merge(text, RouteConfiguration.newBuilder()).toByteString();
  }

  public static ByteString clusterLoadAssignment(String text) {
    return merge(text, ClusterLoadAssignment.newBuilder()).toByteString();
  }

  /** Reads text into a builder. */
  public static <B extends Message.Builder> Message merge(String text, B builder) {
    try {
      String known =
          ENUM_NUMBER
              .matcher(text)
              .replaceAll(found -> found.group(1) + ": " + STAND_INS.get(found.group(1)));
      PARSER.merge(known.replace("TYPE/", "type.googleapis.com/"), builder);
    } catch (TextFormat.ParseException e) {
      throw new AssertionError("not a message: " + e.getMessage() + " in\n" + text, e);
    }
    ENUM_NUMBER
        .matcher(text)
        .results()
        .forEach(found -> setNumber(builder, found.group(1), Integer.parseInt(found.group(2))));
    return builder.build();
  }

  private static void setNumber(Message.Builder builder, String name, int number) {
    for (FieldDescriptor field : builder.getAllFields().keySet()) {
      if (field.getJavaType() == FieldDescriptor.JavaType.ENUM && field.getName().equals(name)) {
        if (((EnumValueDescriptor) builder.getField(field)).getName().equals(STAND_INS.get(name))) {
          builder.setField(field, field.getEnumType().findValueByNumberCreatingIfUnknown(number));
        }
      } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isMapField()) {
        if (field.isRepeated()) {
          for (int i = 0; i < builder.getRepeatedFieldCount(field); i++) {
            setNumber(builder.getRepeatedFieldBuilder(field, i), name, number);
          }
        } else {
          setNumber(builder.getFieldBuilder(field), name, number);
        }
      }
    }
  }
}
