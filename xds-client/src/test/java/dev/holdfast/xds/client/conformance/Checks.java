// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.Code;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.FakeStream;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** What tests ask of requests, errors and dumps, in the words of either protocol. */
final class Checks {
  private static final String NODE = "(node ID:node-1)";

  private Checks() {}

  /** Every protocol with every type, for parameterised tests. */
  static Stream<Arguments> protocolsAndTypes() {
    return Arrays.stream(AdsProtocol.values())
        .flatMap(protocol -> TestType.all().stream().map(type -> Arguments.of(protocol, type)));
  }

  /** The next request must be an ACK; the version is only on the wire in SotW. */
  static Request ack(FakeStream stream, String version, String nonce) {
    Request request = stream.request();
    assertThat(request.isNack()).as("NACK: " + request.errorText()).isFalse();
    assertThat(request.nonce()).isEqualTo(nonce);
    assertThat(request.version()).isEqualTo(stream.protocol == AdsProtocol.SOTW ? version : "");
    assertThat(request.node()).isNull();
    return request;
  }

  /** The next request must be a NACK; returns its text. */
  static String nack(FakeStream stream, String version, String nonce) {
    Request request = stream.request();
    assertThat(request.isNack()).as("NACK").isTrue();
    assertThat(request.nonce()).isEqualTo(nonce);
    assertThat(request.version()).isEqualTo(stream.protocol == AdsProtocol.SOTW ? version : "");
    assertThat(Objects.requireNonNull(request.error()).getCode())
        .isEqualTo(Code.INVALID_ARGUMENT_VALUE);
    assertThat(request.node()).isNull();
    return request.errorText();
  }

  static void noRequest(FakeStream stream) {
    assertThat(stream.unseenRequests()).as("requests").isZero();
  }

  /** An error as it must leave the engine: with its code, its parts, and the node once. */
  static void says(Status status, Status.Code code, String... parts) {
    assertThat(status.getCode()).as(status.toString()).isEqualTo(code);
    assertThat(status.getDescription()).contains(parts).containsOnlyOnce(NODE).endsWith(NODE);
  }

  static CacheEntry<?> entry(ClientHarness h, TestType type, String name) {
    return Objects.requireNonNull(h.dump(type, name), () -> type + "/" + name + " not in dump");
  }

  static CacheEntry.Cached<?> cached(ClientHarness h, TestType type, String name) {
    return Objects.requireNonNull(entry(h, type, name).resource(), "nothing cached");
  }

  static CacheEntry.Failure failure(ClientHarness h, TestType type, String name) {
    return Objects.requireNonNull(entry(h, type, name).failure(), "no failure");
  }
}
