// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.csds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.ResourceStatus;
import dev.holdfast.xds.client.ResourceType;
import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.admin.v3.UpdateFailureState;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.grpc.Status;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Each state of an entry, with and without a resource, as CSDS shows it. */
class ClientConfigsTest {
  private static final ResourceType<?> CDS = new XdsTypes().cluster();
  private static final String TYPE_URL = "type.googleapis.com/envoy.config.cluster.v3.Cluster";
  private static final ByteString BYTES = ByteString.copyFromUtf8("bytes");
  private static final Cached<String> KEPT =
      new Cached<>("value", BYTES, "7", Instant.ofEpochSecond(10, 5));
  private static final Failure FAILURE =
      new Failure(Status.INVALID_ARGUMENT.withDescription("bad"), "8", Instant.ofEpochSecond(20));
  private static final Failure TIMER =
      new Failure(Status.UNAVAILABLE.withDescription("silent"), "", null);

  private static final UpdateFailureState SHOWN_FAILURE =
      UpdateFailureState.newBuilder()
          .setDetails("INVALID_ARGUMENT: bad")
          .setVersionInfo("8")
          .setLastUpdateAttempt(Timestamp.newBuilder().setSeconds(20))
          .build();
  private static final UpdateFailureState SHOWN_TIMER =
      UpdateFailureState.newBuilder().setDetails("UNAVAILABLE: silent").build();

  static Stream<Arguments> states() {
    return Stream.of(
        Arguments.of(
            new CacheEntry.Requested<String>(), shown(ClientResourceStatus.REQUESTED).build()),
        Arguments.of(new CacheEntry.Acked<>(KEPT), kept(shown(ClientResourceStatus.ACKED)).build()),
        Arguments.of(
            new CacheEntry.Nacked<String>(null, FAILURE),
            shown(ClientResourceStatus.NACKED).setErrorState(SHOWN_FAILURE).build()),
        Arguments.of(
            new CacheEntry.Nacked<>(KEPT, FAILURE),
            kept(shown(ClientResourceStatus.NACKED)).setErrorState(SHOWN_FAILURE).build()),
        Arguments.of(
            new CacheEntry.DoesNotExist<String>(null, FAILURE),
            shown(ClientResourceStatus.DOES_NOT_EXIST).setErrorState(SHOWN_FAILURE).build()),
        Arguments.of(
            new CacheEntry.DoesNotExist<String>(null, TIMER),
            shown(ClientResourceStatus.DOES_NOT_EXIST).setErrorState(SHOWN_TIMER).build()),
        Arguments.of(
            new CacheEntry.DoesNotExist<>(KEPT, FAILURE),
            kept(shown(ClientResourceStatus.DOES_NOT_EXIST)).setErrorState(SHOWN_FAILURE).build()),
        Arguments.of(
            new CacheEntry.ReceivedError<String>(null, FAILURE),
            shown(ClientResourceStatus.RECEIVED_ERROR).setErrorState(SHOWN_FAILURE).build()),
        Arguments.of(
            new CacheEntry.ReceivedError<>(KEPT, FAILURE),
            kept(shown(ClientResourceStatus.RECEIVED_ERROR)).setErrorState(SHOWN_FAILURE).build()),
        Arguments.of(
            new CacheEntry.TimedOut<String>(TIMER),
            shown(ClientResourceStatus.TIMEOUT).setErrorState(SHOWN_TIMER).build()));
  }

  @ParameterizedTest
  @MethodSource("states")
  void e90ShowsStateResourceAndError(CacheEntry<?> entry, GenericXdsConfig expected) {
    ClientConfig config =
        ClientConfigs.of("scope", node(), List.of(new ResourceStatus(CDS, "name", entry)), false);

    assertThat(config.getGenericXdsConfigsList()).containsExactly(expected);
  }

  /** H90. */
  @ParameterizedTest
  @EnumSource(CacheEntry.State.class)
  void h90EveryStateHasTheValueOfTheSameName(CacheEntry.State state) {
    assertThat(ClientConfigs.of(state).name()).isEqualTo(state.name());
  }

  @Test
  void saysWhoTheClientIsAndOnWhoseBehalfItWatches() {
    ClientConfig config = ClientConfigs.of("xds:///shop", node(), List.of(), false);

    assertThat(config)
        .isEqualTo(ClientConfig.newBuilder().setNode(node()).setClientScope("xds:///shop").build());
  }

  @Test
  void leavesOutContentsForThoseWhoDoNotWantThem() {
    ClientConfig config =
        ClientConfigs.of(
            "",
            node(),
            List.of(new ResourceStatus(CDS, "name", new CacheEntry.Acked<>(KEPT))),
            /* withoutContents= */ true);

    assertThat(config.getGenericXdsConfigs(0))
        .isEqualTo(kept(shown(ClientResourceStatus.ACKED)).clearXdsConfig().build());
  }

  private static GenericXdsConfig.Builder shown(ClientResourceStatus status) {
    return GenericXdsConfig.newBuilder()
        .setTypeUrl(TYPE_URL)
        .setName("name")
        .setClientStatus(status);
  }

  private static GenericXdsConfig.Builder kept(GenericXdsConfig.Builder config) {
    return config
        .setVersionInfo("7")
        .setLastUpdated(Timestamp.newBuilder().setSeconds(10).setNanos(5))
        .setXdsConfig(Any.newBuilder().setTypeUrl(TYPE_URL).setValue(BYTES));
  }

  private static Node node() {
    return Node.newBuilder().setId("n").build();
  }
}
