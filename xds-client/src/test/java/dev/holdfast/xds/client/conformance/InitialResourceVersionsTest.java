// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static io.grpc.Status.Code.NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a Delta client tells a server it already has. */
class InitialResourceVersionsTest {
  @Test
  @DisplayName("R50 versions are in the first request of each type on a stream, and only there")
  void r50OnlyInTheFirstRequestPerType() {
    try (ClientHarness h = ClientHarness.delta()) {
      h.watch(LDS, "foo");
      h.watch(RDS, "bar");
      assertThat(h.stream().request().initialVersions()).isEmpty();
      assertThat(h.stream().request().initialVersions()).isEmpty();
      h.respond(response(LDS).version("7").resource("foo", "one"));
      h.respond(response(RDS).version("8").resource("bar", "one"));
      assertThat(h.stream().request().initialVersions()).isEmpty();
      assertThat(h.stream().request().initialVersions()).isEmpty();

      h.closeStream(Status.OK);
      h.advanceSeconds(1);

      Request lds = h.stream().request();
      assertThat(lds.typeUrl()).isEqualTo(LDS.typeUrl());
      assertThat(lds.subscribe()).containsExactly("foo");
      assertThat(lds.nonce()).isEmpty();
      assertThat(lds.initialVersions()).containsExactly(entry("foo", "7"));
      Request rds = h.stream().request();
      assertThat(rds.typeUrl()).isEqualTo(RDS.typeUrl());
      assertThat(rds.initialVersions()).containsExactly(entry("bar", "8"));

      h.watch(LDS, "more");
      Request more = h.stream().request();
      assertThat(more.subscribe()).containsExactly("more");
      assertThat(more.initialVersions()).isEmpty();
      h.respond(response(LDS).version("9").nonce("A").resource("foo", "two"));
      Request ack = h.stream().request();
      assertThat(ack.nonce()).isEqualTo("A");
      assertThat(ack.initialVersions()).isEmpty();
    }
  }

  @Test
  @DisplayName("R50 the version is the newest that the server gave these bytes")
  void r50NewestVersion() {
    try (ClientHarness h = ClientHarness.delta()) {
      h.watch(LDS, "foo");
      h.respond(response(LDS).version("1").resource("foo", "one"));
      h.respond(response(LDS).version("2").resource("foo", "one"));

      assertThat(versionsOnNewStream(h)).containsExactly("foo=2");
    }
  }

  @Test
  @DisplayName("R50 a copy that was kept although the server said otherwise is left out")
  void r50KeptCopiesAreLeftOut() {
    try (ClientHarness h = ClientHarness.delta()) {
      for (String name : List.of("deleted", "errored", "fine", "rejected", "requested")) {
        h.watch(EDS, name);
      }
      h.respond(
          response(EDS)
              .version("1")
              .resource("deleted", "one")
              .resource("errored", "one")
              .resource("fine", "one")
              .resource("rejected", "one"));

      h.respond(
          response(EDS)
              .version("2")
              .removed("deleted")
              .error("errored", NOT_FOUND, "gone")
              .resource("rejected", "bad:wrong"));

      assertThat(h.state(EDS, "deleted")).isEqualTo("does_not_exist_but_cached");
      assertThat(h.state(EDS, "errored")).isEqualTo("received_error_but_cached");
      assertThat(h.state(EDS, "rejected")).isEqualTo("nacked_but_cached");
      assertThat(versionsOnNewStream(h)).containsExactly("fine=1");
    }
  }

  @Test
  @DisplayName("R50 what was dropped is left out, and comes back by being sent again")
  void r50DroppedCopiesAreLeftOut() {
    try (ClientHarness h = ClientHarness.delta(ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched w = h.watch(EDS, "foo");
      h.respond(response(EDS).version("1").resource("foo", "one"));
      h.respond(response(EDS).version("2").resource("foo", "bad:wrong"));
      assertThat(w.resource()).isEqualTo("one");
      w.error();

      assertThat(versionsOnNewStream(h)).isEmpty();
      h.respond(response(EDS).version("1").resource("foo", "one"));

      assertThat(w.resource()).isEqualTo("one");
      assertThat(h.state(EDS, "foo")).isEqualTo("acked");
    }
  }

  @Test
  @DisplayName("R50 what another server sent is no version that this server knows")
  void r50VersionsOfAnotherServerAreLeftOut() {
    ServerConfig primary = ServerConfig.insecure("primary.example:443");
    ServerConfig backup = ServerConfig.insecure("backup.example:443");
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(AdsProtocol.DELTA).servers(primary, backup).build())) {
      h.watch(EDS, "foo");
      h.closeStream(h.stream(primary.uri()), Status.UNAVAILABLE.withDescription("down"));
      h.respond(h.stream(backup.uri()), response(EDS).version("b1").resource("foo", "one"));

      h.advanceSeconds(1);

      Request request = h.stream(primary.uri()).request();
      assertThat(request.subscribe()).containsExactly("foo");
      assertThat(request.initialVersions()).isEmpty();
    }
  }

  private static List<String> versionsOnNewStream(ClientHarness h) {
    h.closeStream(Status.OK);
    h.advanceSeconds(1);
    return h.stream().request().initialVersions().entrySet().stream()
        .map(version -> version.getKey() + "=" + version.getValue())
        .toList();
  }
}
