// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.conformance;

import static dev.holdfast.xds.client.conformance.Checks.ack;
import static dev.holdfast.xds.client.conformance.Checks.nack;
import static dev.holdfast.xds.client.conformance.Checks.noRequest;
import static dev.holdfast.xds.client.fixture.ClientHarness.response;
import static dev.holdfast.xds.client.fixture.TestType.CDS;
import static dev.holdfast.xds.client.fixture.TestType.EDS;
import static dev.holdfast.xds.client.fixture.TestType.RDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.ClientHarness.Watched;
import dev.holdfast.xds.client.fixture.Request;
import dev.holdfast.xds.client.fixture.ResponseBuilder;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Servers that answer a NACK with what was refused, and what that costs. */
class NackLoopTest {
  private static ResponseBuilder bad(String nonce) {
    return response(CDS).version("2").nonce(nonce).resource("foo", "bad:x");
  }

  /** A client that has accepted version 1 and refused version 2, once. */
  private static ClientHarness refusing(AdsProtocol protocol, ServerFeature... features) {
    ClientHarness h = ClientHarness.of(protocol, features);
    h.watch(CDS, "foo");
    h.watch(EDS, "bar");
    h.respond(response(CDS).version("1").nonce("1").resource("foo", "one"));
    h.stream().skipRequests();
    h.respond(bad("2"));
    assertThat(h.stream().request().isNack()).isTrue();
    h.stream().skipRequests();
    return h;
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H24 the same refused resource is refused ever more slowly, once for each response")
  void h24RefusedEverMoreSlowly(AdsProtocol protocol) {
    try (ClientHarness h = refusing(protocol)) {
      double delay = 0.1;
      for (int i = 0; i < 15; i++) {
        h.respond(bad("again " + i));
        h.advanceSeconds(delay - 0.001);
        noRequest(h.stream());

        h.advanceSeconds(0.001001);

        nack(h.stream(), "1", "again " + i);
        noRequest(h.stream());
        delay = Math.min(delay * 1.6, 10);
      }
      assertThat(delay).isEqualTo(10);
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H24 a server that answers each NACK at once gets a handful in the first minute")
  void h24RequestsPerMinute(AdsProtocol protocol) {
    for (boolean strict : new boolean[] {false, true}) {
      ServerFeature[] features =
          strict ? new ServerFeature[] {ServerFeature.FAIL_ON_DATA_ERRORS} : new ServerFeature[0];
      try (ClientHarness h = refusing(protocol, features)) {
        int before = h.stream().received();
        h.respond(bad("0"));
        for (int millis = 0; millis < 60_000; millis++) {
          h.advanceSeconds(0.001);
          while (h.stream().unseenRequests() > 0) {
            if (h.stream().request().isNack()) {
              h.stream().deliver(bad("n" + millis).build(protocol));
            }
          }
        }
        assertThat(h.stream().received() - before).isBetween(10, 15);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "H24 a new version is used and acknowledged at once, after the NACK that still waits")
  void h24NewVersionIsNotDelayed(AdsProtocol protocol) {
    try (ClientHarness h = refusing(protocol)) {
      Watched w = h.watch(CDS, "foo");
      h.respond(bad("3"));
      noRequest(h.stream());

      h.respond(response(CDS).version("4").nonce("4").resource("foo", "four"));

      assertThat(w.watcher.currentText()).isEqualTo("four");
      nack(h.stream(), "1", "3");
      ack(h.stream(), "4", "4");
      noRequest(h.stream());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H24 another bad version is refused at once")
  void h24AnotherBadVersionIsRefusedAtOnce(AdsProtocol protocol) {
    try (ClientHarness h = refusing(protocol)) {
      h.respond(bad("3"));

      h.respond(response(CDS).version("3").nonce("4").resource("foo", "bad:y"));

      nack(h.stream(), "1", "3");
      nack(h.stream(), "1", "4");
      noRequest(h.stream());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H24 while a NACK waits, responses of other types are read and answered")
  void h24OtherTypesGoOn(AdsProtocol protocol) {
    try (ClientHarness h = refusing(protocol)) {
      h.respond(bad("3"));

      for (int i = 0; i < 5; i++) {
        h.respond(response(EDS).version("e" + i).nonce("E" + i).resource("bar", "b" + i));
        ack(h.stream(), "e" + i, "E" + i);
      }
      noRequest(h.stream());
      h.advanceSeconds(0.1);
      nack(h.stream(), "1", "3");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H24 a subscription does not wait for the NACK; it takes it along")
  void h24SubscriptionsDoNotWait(AdsProtocol protocol) {
    try (ClientHarness h = refusing(protocol)) {
      h.respond(bad("3"));

      h.watch(CDS, "more");

      Request request = h.stream().request();
      assertThat(request.names()).containsExactlyInAnyOrder("foo", "more");
      assertThat(request.nonce()).isEqualTo("3");
      assertThat(request.isNack()).isTrue();
      h.advanceSeconds(20);
      noRequest(h.stream());
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H24 the order of resources does not matter, nor do those that are as before")
  void h24OrderDoesNotMatter(AdsProtocol protocol) {
    try (ClientHarness h = ClientHarness.of(protocol)) {
      List<String> names = new ArrayList<>(List.of("a", "b", "c", "d"));
      names.forEach(name -> h.watchLater(CDS, name));
      h.settle();
      h.stream().skipRequests();
      double delay = 0.10000001;
      for (int i = 0; i < 6; i++) {
        ResponseBuilder response = response(CDS).version("2").nonce("n" + i);
        for (String name : names) {
          response.resource(name, name.equals("a") || name.equals("c") ? "bad:x" : "good");
        }
        response.garbage();
        h.respond(response);
        assertThat(h.stream().unseenRequests()).isEqualTo(i == 0 ? 1 : 0);
        h.advanceSeconds(i == 0 ? 0 : delay);
        delay *= i == 0 ? 1 : 1.6;
        assertThat(h.stream().request().isNack()).isTrue();
        Collections.rotate(names, 1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName(
      "H24 a server that does not wait for answers is read ten times a second, at most twice")
  void h24ServerThatDoesNotWait(AdsProtocol protocol) {
    try (ClientHarness h = refusing(protocol)) {
      Watched w = h.watch(EDS, "bar");
      for (int i = 0; i < 1000; i++) {
        h.stream().deliver(bad("flood " + i).build(protocol));
      }
      h.stream().deliver(response(EDS).version("9").resource("bar", "late").build(protocol));
      int unread = h.stream().unread();
      h.settle();

      h.advanceSeconds(10);

      int read = unread - h.stream().unread();
      assertThat(read).isBetween(100, 210);
      int nacks = 0;
      while (h.stream().unseenRequests() > 0) {
        assertThat(h.stream().request().nonce()).isEqualTo("flood " + nacks++); // each, in order
      }
      assertThat(nacks).isBetween(read - 2, read);
      h.advanceSeconds(100);
      assertThat(w.watcher.currentText()).isEqualTo("late");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H24 what comes again after a long time is refused at once")
  void h24AfterALongTime(AdsProtocol protocol) {
    try (ClientHarness h = refusing(protocol)) {
      for (int i = 0; i < 20; i++) {
        h.advanceSeconds(10);
        h.respond(bad("n" + i));
        nack(h.stream(), "1", "n" + i);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H24 a stream that ends while a NACK waits leaves nothing behind")
  void h24StreamEnds(AdsProtocol protocol) {
    try (ClientHarness h = refusing(protocol)) {
      h.respond(bad("3"));
      h.closeStream(Status.OK);
      h.advanceSeconds(2);
      h.stream().skipRequests();
      h.respond(bad("4"));
      nack(h.stream(), protocol == AdsProtocol.SOTW ? "" : "1", "4");
    }
  }

  @ParameterizedTest
  @EnumSource(AdsProtocol.class)
  @DisplayName("H24 each type has a pace of its own")
  void h24TypesHaveTheirOwnPace(AdsProtocol protocol) {
    try (ClientHarness h = refusing(protocol)) {
      h.watch(RDS, "route");
      h.stream().skipRequests();
      h.respond(bad("3"));

      h.respond(response(RDS).version("r").nonce("R").resource("route", "bad:r"));

      nack(h.stream(), "", "R");
      noRequest(h.stream());
    }
  }
}
