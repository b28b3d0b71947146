// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import static dev.holdfast.controlplane.snapshot.ResourceType.ENDPOINTS;
import static dev.holdfast.controlplane.snapshot.ResourceType.ROUTES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.ReceivedResponse;
import dev.holdfast.controlplane.ads.wire.Protocol;
import io.grpc.Status;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that subscribes to names by the thousand. */
class ManyNamesTest {
  private final AdsHarness ads = new AdsHarness();

  private static String[] names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aStreamEndsWhenItsNamesAreTooMany(Protocol protocol) {
    int most = ads.server.limits().names();
    FakeXdsStream greedy = ads.grpc(protocol);
    greedy.subscribe(ROUTES, names("r", most));
    assertThat(greedy.ended).isNull();
    greedy.subscribe(ENDPOINTS, "one-more");

    assertThat(greedy.ended).isNotNull();
    assertThat(greedy.ended.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(greedy.ended.getDescription()).contains("limit names");
    assertThat(ads.server.refusals().byLimit()).containsEntry("names", 1L);
    assertThat(ads.server.proxies()).isEmpty();
  }

  @Test
  void theNamesOfStreamsThatHaveEndedDoNotCount() {
    for (int i = 0; i < 100; i++) {
      FakeXdsStream client = ads.grpc(Protocol.DELTA);
      client.subscribe(ROUTES, names("r", ads.server.limits().names()));
      client.close();
    }
    FakeXdsStream last = ads.grpc(Protocol.DELTA);
    last.subscribe(ROUTES, names("r", ads.server.limits().names()));
    assertThat(last.ended).isNull();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void namesThatDoNotExistAreReportedInPortions(Protocol protocol) {
    FakeXdsStream client = ads.grpc(protocol);
    client.subscribe(ROUTES, names("r", 10_000));
    int reported = 0;
    int responses = 0;
    while (!client.isQuiet()) {
      ReceivedResponse reply = client.next();
      assertThat(reply.errors()).hasSizeLessThanOrEqualTo(1_000);
      reported += reply.errors().size();
      responses++;
      client.ack(reply);
    }
    assertThat(reported).isEqualTo(10_000);
    assertThat(responses).isEqualTo(10);
  }
}
