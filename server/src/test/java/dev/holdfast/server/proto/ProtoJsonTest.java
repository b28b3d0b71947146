// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.proto;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Struct;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Metadata;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.listener.v3.ApiListener;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.filters.http.router.v3.Router;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager;
import io.envoyproxy.envoy.extensions.filters.network.http_connection_manager.v3.HttpFilter;
import org.junit.jupiter.api.Test;

class ProtoJsonTest {
  private static final Gson GSON =
      new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

  private static final Any UNKNOWN =
      Any.newBuilder()
          .setTypeUrl("type.googleapis.com/example.Unknown")
          .setValue(ByteString.copyFromUtf8("hello"))
          .build();
  private static final String UNKNOWN_JSON =
      "{\"@type\":\"type.googleapis.com/example.Unknown\",\"value\":\"aGVsbG8=\"}";

  private final ProtoJson json = new ProtoJson();

  @Test
  void aMessageIsPrintedAsProtobufMapsItToJson() {
    assertThat(
            print(
                Cluster.newBuilder()
                    .setName("a")
                    .setType(Cluster.DiscoveryType.EDS)
                    .setConnectTimeout(Duration.newBuilder().setSeconds(5))
                    .setPerConnectionBufferLimitBytes(UInt32Value.of(7))
                    .build()))
        .isEqualTo(
            "{\"name\":\"a\",\"type\":\"EDS\",\"connectTimeout\":\"5s\","
                + "\"perConnectionBufferLimitBytes\":7}");
  }

  @Test
  void knownExtensionsAreOpenedAtEveryDepthAndUnknownOnesShowTheirBytes() {
    HttpConnectionManager manager =
        HttpConnectionManager.newBuilder()
            .addHttpFilters(filter("unknown", UNKNOWN))
            .addHttpFilters(filter("router", Any.pack(Router.getDefaultInstance())))
            .build();
    Listener listener =
        Listener.newBuilder()
            .setName("l")
            .setApiListener(ApiListener.newBuilder().setApiListener(Any.pack(manager)))
            .build();

    assertThat(print(listener))
        .isEqualTo(
            "{\"name\":\"l\",\"apiListener\":{\"apiListener\":{\"@type\":\"type.googleapis.com/"
                + "envoy.extensions.filters.network.http_connection_manager.v3."
                + "HttpConnectionManager\",\"httpFilters\":[{\"name\":\"unknown\",\"typedConfig\":"
                + UNKNOWN_JSON
                + "},{\"name\":\"router\",\"typedConfig\":{\"@type\":\"type.googleapis.com/"
                + "envoy.extensions.filters.http.router.v3.Router\"}}]}}}");
  }

  @Test
  void unknownExtensionsInMapsShowTheirBytes() {
    assertThat(print(Metadata.newBuilder().putTypedFilterMetadata("k", UNKNOWN).build()))
        .isEqualTo("{\"typedFilterMetadata\":{\"k\":" + UNKNOWN_JSON + "}}");
  }

  @Test
  void aKnownExtensionWithBrokenBytesShowsThem() {
    Any broken =
        Any.pack(Router.getDefaultInstance()).toBuilder()
            .setValue(ByteString.copyFrom(new byte[] {(byte) 0xff}))
            .build();

    assertThat(print(socket(broken)))
        .isEqualTo(
            "{\"typedConfig\":{\"@type\":\"type.googleapis.com/envoy.extensions.filters.http."
                + "router.v3.Router\",\"value\":\"/w==\"}}");
  }

  @Test
  void extensionsWithoutAUsableTypeShowTheirBytes() {
    assertThat(print(socket(UNKNOWN.toBuilder().setTypeUrl("nonsense").build())))
        .isEqualTo("{\"typedConfig\":{\"@type\":\"nonsense\",\"value\":\"aGVsbG8=\"}}");
    assertThat(print(socket(UNKNOWN.toBuilder().clearTypeUrl().build())))
        .isEqualTo("{\"typedConfig\":{\"@type\":\"\",\"value\":\"aGVsbG8=\"}}");
    assertThat(print(socket(Any.getDefaultInstance()))).isEqualTo("{\"typedConfig\":{}}");
  }

  @Test
  void wellKnownTypesInExtensionsArePrintedInTheirOwnWay() {
    Struct struct =
        Struct.newBuilder().putFields("a", Value.newBuilder().setNumberValue(1).build()).build();

    assertThat(print(socket(Any.pack(struct))))
        .isEqualTo(
            "{\"typedConfig\":{\"@type\":\"type.googleapis.com/google.protobuf.Struct\","
                + "\"value\":{\"a\":1.0}}}");
  }

  @Test
  void aMessageThatHasNoJsonFormShowsItsBytes() {
    Cluster cluster =
        Cluster.newBuilder().setConnectTimeout(Duration.newBuilder().setSeconds(-1L << 62)).build();

    assertThat(print(cluster))
        .startsWith(
            "{\"@type\":\"type.googleapis.com/envoy.config.cluster.v3.Cluster\",\"value\":");
  }

  @Test
  void extensionsInExtensionsDoNotExhaustTheStack() {
    Any nested = Any.pack(Router.getDefaultInstance());
    for (int i = 0; i < 2_000; i++) {
      nested = Any.pack(socket(nested));
    }

    assertThat(print(socket(nested))).contains("\"value\":\"");
  }

  private String print(Message message) {
    return GSON.toJson(json.print(message));
  }

  private static HttpFilter filter(String name, Any config) {
    return HttpFilter.newBuilder().setName(name).setTypedConfig(config).build();
  }

  private static TransportSocket socket(Any config) {
    return TransportSocket.newBuilder().setTypedConfig(config).build();
  }
}
