// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.proxies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.envoyproxy.envoy.config.core.v3.ControlPlane;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Finds what an answer needs, however the bytes come. */
class ResponseReaderTest {
  private static final DiscoveryResponse SOTW =
      DiscoveryResponse.newBuilder()
          .setVersionInfo("version-1")
          .addResources(
              Any.newBuilder().setTypeUrl("t").setValue(ByteString.copyFrom(new byte[300])))
          .addResources(Any.getDefaultInstance())
          .setCanary(true)
          .setTypeUrl("the-type")
          .setNonce("n1")
          .setControlPlane(ControlPlane.newBuilder().setIdentifier("somebody"))
          .build();
  private static final DeltaDiscoveryResponse DELTA =
      DeltaDiscoveryResponse.newBuilder()
          .setSystemVersionInfo("version-2")
          .addResources(Resource.newBuilder().setName("a").setVersion("5"))
          .setTypeUrl("the-type")
          .setNonce("n2")
          .addRemovedResources("gone")
          .build();

  private final List<ReceivedResponse> received = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 64, 100_000})
  void whereTheBytesAreCutDoesNotMatter(int piece) {
    read(new ResponseReader(/* keepsBody= */ false, received::add), piece);

    assertThat(received)
        .containsExactly(
            new ReceivedResponse("the-type", "version-1", "n1", SOTW.getSerializedSize(), ""),
            new ReceivedResponse("the-type", "version-2", "n2", DELTA.getSerializedSize(), ""),
            new ReceivedResponse("the-type", "version-1", "n1", SOTW.getSerializedSize(), ""));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 100_000})
  void theBodyIsKeptForThoseWhoLookAtIt(int piece) {
    read(new ResponseReader(/* keepsBody= */ true, received::add), piece);

    assertThat(received)
        .extracting(ReceivedResponse::body)
        .containsExactly(
            SOTW.toByteString().toString(StandardCharsets.ISO_8859_1),
            DELTA.toByteString().toString(StandardCharsets.ISO_8859_1),
            SOTW.toByteString().toString(StandardCharsets.ISO_8859_1));
  }

  @Test
  void whatIsCompressedIsNotMisread() {
    ResponseReader reader = new ResponseReader(/* keepsBody= */ false, received::add);
    ByteBuffer compressed = ByteBuffer.allocate(5).put(0, (byte) 1);

    assertThatThrownBy(() -> reader.read(compressed, 5))
        .hasMessage("a compressed message (expected: none)");
  }

  private static void read(ResponseReader reader, int piece) {
    ByteBuffer bytes = ByteBuffer.allocate(10_000);
    for (byte[] message : List.of(SOTW.toByteArray(), DELTA.toByteArray(), SOTW.toByteArray())) {
      bytes.put((byte) 0).putInt(message.length).put(message);
    }
    bytes.flip();
    while (bytes.hasRemaining()) {
      reader.read(bytes, Math.min(piece, bytes.remaining()));
    }
  }
}
