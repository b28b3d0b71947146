// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.ErrorTexts.assertError;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static io.grpc.Status.Code.NOT_FOUND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.AuthorityConfig;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only the server that counts may delete. */
class OtherServersDeletionTest {
  private static final String PRIMARY = "primary.example:443";
  private static final String BACKUP = "backup.example:443";
  private static final String OTHER = "xdstp://other/" + LDS.typeName() + "/bar";

  /** Names without authority are asked of two servers; the second also has an authority. */
  private static ClientHarness harness(AdsProtocol protocol) {
    ServerConfig primary = ServerConfig.insecure(PRIMARY, ServerFeature.FAIL_ON_DATA_ERRORS);
    ServerConfig backup = ServerConfig.insecure(BACKUP, ServerFeature.FAIL_ON_DATA_ERRORS);
    return new ClientHarness(
        ClientHarness.config(protocol)
            .servers(primary, backup)
            .authorities(Map.of("other", new AuthorityConfig(List.of(backup), false)))
            .build());
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H41 a server that no longer counts cannot delete what another one gave")
  void h41FormerFallbackCannotDelete(AdsProtocol protocol) {
    try (ClientHarness h = harness(protocol)) {
      Watched other = h.watch(LDS, OTHER);
      Watched foo = h.watch(LDS, "foo");
      h.closeStream(h.stream(PRIMARY), Status.UNAVAILABLE.withDescription("down"));
      h.respond(h.stream(BACKUP), response(LDS).resource("foo", "backup").resource(OTHER, "one"));
      assertThat(foo.resource()).isEqualTo("backup");
      assertThat(other.resource()).isEqualTo("one");
      h.advanceSeconds(1);
      h.respond(h.stream(PRIMARY), response(LDS).resource("foo", "primary"));
      assertThat(foo.resource()).isEqualTo("primary");
      assertThat(h.stream(BACKUP).subscribed(LDS)).containsExactly(OTHER);

      ResponseBuilder late = response(LDS).version("2").resource(OTHER, "two");
      h.respond(h.stream(BACKUP), protocol == AdsProtocol.DELTA ? late.removed("foo") : late);

      assertThat(other.resource()).isEqualTo("two");
      foo.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");

      h.respond(
          h.stream(BACKUP),
          response(LDS).resource(OTHER, "two").error("foo", NOT_FOUND, "not here"));
      foo.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H41 a fallback that counts can delete")
  void h41FallbackThatCountsCanDelete(AdsProtocol protocol) {
    try (ClientHarness h = harness(protocol)) {
      Watched foo = h.watch(LDS, "foo");
      h.closeStream(h.stream(PRIMARY), Status.UNAVAILABLE.withDescription("down"));
      h.respond(h.stream(BACKUP), response(LDS).resource("foo", "backup"));
      assertThat(foo.resource()).isEqualTo("backup");

      h.respond(h.stream(BACKUP), response(LDS).version("2").removed("foo"));

      assertError(foo.error(), NOT_FOUND, LDS, "foo", "does not exist", BACKUP);
    }
  }
}
