// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.ErrorTexts.assertError;
import static dev.holdfast.xds.client.fixture.ClientHarness.SERVER;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.LDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static io.grpc.Status.Code.INVALID_ARGUMENT;
import static io.grpc.Status.Code.NOT_FOUND;
import static io.grpc.Status.Code.PERMISSION_DENIED;
import static io.grpc.Status.Code.UNAVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.ResourceName;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code removed_resources}: a deletion in so many words, for every type, cached or not. */
class DeltaRemovalTest {
  static List<TestType> types() {
    return TestType.all();
  }

  @ParameterizedTest
  @MethodSource("types")
  @DisplayName("R50 removal of a name that never came ends its timer and says NOT_FOUND")
  void r50RemovalOfWhatNeverCame(TestType type) {
    try (ClientHarness h = ClientHarness.delta()) {
      Watched w = h.watch(type, "foo");
      h.advanceSeconds(5);

      h.respond(response(type).version("1").removed("foo"));

      assertError(w.error(), NOT_FOUND, type, "foo", "does not exist", SERVER, "does not have it");
      assertThat(h.state(type, "foo")).isEqualTo("does_not_exist");
      assertThat(h.time.pending()).isEmpty();
      h.watch(type, "sibling"); // must not start the timer again
      h.advanceSeconds(60);
      w.nothing();

      h.respond(response(type).version("2").resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  @DisplayName("R50 removal is a deletion for every type")
  void r50RemovalIsADeletionForEveryType(TestType type) {
    try (ClientHarness h = ClientHarness.delta(ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched foo = h.watch(type, "foo");
      Watched bar = h.watch(type, "bar");
      h.respond(response(type).resource("foo", "one").resource("bar", "one"));
      assertThat(foo.resource()).isEqualTo("one");
      assertThat(bar.resource()).isEqualTo("one");

      h.respond(response(type).removed("foo").removed("not watched"));

      assertError(foo.error(), NOT_FOUND, type, "foo", "does not have it");
      foo.nothing();
      bar.nothing(); // absence means nothing here
      assertThat(h.state(type, "bar")).isEqualTo("acked");
    }
  }

  @Test
  @DisplayName("R50 removed_resource_names says the same in the newer field")
  void r50RemovedResourceNames() {
    try (ClientHarness h = ClientHarness.delta()) {
      Watched w = h.watch(RDS, "foo");
      h.stream()
          .deliver(
              DeltaDiscoveryResponse.newBuilder()
                  .setTypeUrl(RDS.typeUrl())
                  .setNonce("A")
                  .addRemovedResourceNames(ResourceName.newBuilder().setName("foo"))
                  .build()
                  .toByteString());
      h.settle();

      assertError(w.error(), NOT_FOUND, RDS, "foo", "does not exist");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("R50 an error and a removal of one name in one response are the error")
  void r50ErrorAndRemovalAreTheError(boolean cached) {
    try (ClientHarness h = ClientHarness.delta()) {
      Watched w = h.watch(LDS, "foo");
      if (cached) {
        h.respond(response(LDS).resource("foo", "one"));
        assertThat(w.resource()).isEqualTo("one");
      }

      h.respond(response(LDS).removed("foo").error("foo", PERMISSION_DENIED, "not yours"));

      assertError(cached ? w.ambient() : w.error(), PERMISSION_DENIED, LDS, "foo", "not yours");
      w.nothing();
      assertThat(h.state(LDS, "foo"))
          .isEqualTo(cached ? "received_error_but_cached" : "received_error");
    }
  }

  @Test
  @DisplayName("R50 a transient error beside the removal keeps even with fail_on_data_errors")
  void r50TransientErrorBesideTheRemovalKeeps() {
    try (ClientHarness h = ClientHarness.delta(ServerFeature.FAIL_ON_DATA_ERRORS)) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).resource("foo", "one"));
      assertThat(w.resource()).isEqualTo("one");

      h.respond(response(LDS).removed("foo").error("foo", UNAVAILABLE, "catalogue is down"));

      assertError(w.ambient(), UNAVAILABLE, LDS, "foo", "catalogue is down");
      w.nothing();
      assertThat(h.state(LDS, "foo")).isEqualTo("received_error_but_cached");
    }
  }

  @Test
  @DisplayName("R50 switched off, the removal beside an error is a removal")
  void r50SwitchedOffTheRemovalCounts() {
    try (ClientHarness h =
        new ClientHarness(
            ClientHarness.config(AdsProtocol.DELTA)
                .behaviour(ClientHarness.behaviour().withDataErrorHandling(false))
                .build())) {
      Watched w = h.watch(LDS, "foo");

      h.respond(response(LDS).removed("foo").error("foo", PERMISSION_DENIED, "not yours"));

      assertError(w.error(), NOT_FOUND, LDS, "foo", "does not exist");
      assertThat(h.state(LDS, "foo")).isEqualTo("does_not_exist");
    }
  }

  @Test
  @DisplayName("R50 a removal after an error is news: the server has said something else")
  void r50RemovalAfterAnErrorCounts() {
    try (ClientHarness h = ClientHarness.delta()) {
      Watched w = h.watch(LDS, "foo");
      h.respond(response(LDS).error("foo", UNAVAILABLE, "one moment"));
      assertError(w.error(), UNAVAILABLE, LDS, "foo", "one moment");

      h.respond(response(LDS).removed("foo"));

      assertError(w.error(), NOT_FOUND, LDS, "foo", "does not exist");
      assertThat(h.state(LDS, "foo")).isEqualTo("does_not_exist");
    }
  }

  @Test
  @DisplayName("R50 removals in a response that is refused for another resource count")
  void r50RemovalBesideAnInvalidResourceCounts() {
    try (ClientHarness h = ClientHarness.delta()) {
      Watched foo = h.watch(RDS, "foo");
      Watched bar = h.watch(RDS, "bar");
      h.stream().skipRequests();

      h.respond(response(RDS).removed("foo").resource("bar", "bad:wrong").garbage());

      assertError(foo.error(), NOT_FOUND, RDS, "foo", "does not exist");
      assertError(bar.error(), INVALID_ARGUMENT, RDS, "bar", "wrong");
      assertThat(h.stream().request().isNack()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("R50 a resource counts more than its removal in the same response, which is refused")
  void r50ResourceAndRemovalInOneResponse(boolean failOnDataErrors) {
    ServerFeature[] features =
        failOnDataErrors
            ? new ServerFeature[] {ServerFeature.FAIL_ON_DATA_ERRORS}
            : new ServerFeature[0];
    try (ClientHarness h = ClientHarness.delta(features)) {
      Watched foo = h.watch(LDS, "foo");
      Watched bar = h.watch(LDS, "bar");
      h.stream().skipRequests();

      h.respond(response(LDS).resource("foo", "one").removed("bar").removed("foo"));

      assertThat(foo.resource()).isEqualTo("one");
      foo.nothing();
      assertError(bar.error(), NOT_FOUND, LDS, "bar", "does not exist");
      assertThat(h.state(LDS, "foo")).isEqualTo("acked");
      assertThat(h.observer.nacks())
          .containsExactly(
              "LDS response validation errors: "
                  + "[removed_resources index 1: foo: also in resources, which counts]");
    }
  }

  @Test
  @DisplayName("R50 a removal counts beside an error for the same name that is none")
  void r50RemovalBesideAMalformedError() {
    try (ClientHarness h = ClientHarness.delta()) {
      Watched w = h.watch(LDS, "foo");

      h.respond(response(LDS).removed("foo").error("foo", 0, "fine"));

      assertError(w.error(), NOT_FOUND, LDS, "foo", "does not exist");
      assertThat(h.observer.nacks()).hasSize(1);
    }
  }
}
