// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.balance.kit.Addresses;
import dev.holdfast.grpc.libraries.NewerGrpc;
import dev.holdfast.xds.resources.endpoint.Endpoint;
import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EndpointAttributesTest {

  private static LocalityEndpoints locality(long weight, long... endpoints) {
    List<Endpoint> list = new ArrayList<>();
    for (long endpoint : endpoints) {
      list.add(new Endpoint(List.of(Addresses.address(1)), endpoint, ""));
    }
    return new LocalityEndpoints(new Locality("r", "z", "s"), 0, weight, list);
  }

  private static List<Long> weights(LocalityEndpoints... localities) {
    List<Long> weights = new ArrayList<>();
    EndpointAttributes.together(List.of(localities))
        .forEach(
            group ->
                group
                    .endpoints()
                    .forEach(
                        endpoint ->
                            weights.add(endpoint.getAttributes().get(NewerGrpc.ENDPOINT_WEIGHT))));
    return weights;
  }

  @Test
  void anEndpointWeighsAsMuchAsItsLocalityMakesIt() {
    // The example of gRFC A42.
    assertThat(weights(locality(3, 2, 1), locality(2, 3, 1))).containsExactly(6L, 3L, 6L, 2L);
  }

  @Test
  void weightsStayInProportionWhenTheyDoNotFit() {
    long max = 0xFFFF_FFFFL;
    List<Long> weights = weights(locality(max, max, max / 2), locality(1, 1));
    assertThat(weights).allMatch(weight -> weight >= 1 && weight <= max);
    assertThat((double) weights.get(0) / weights.get(1)).isBetween(1.99, 2.01);
    assertThat(weights.get(2)).isEqualTo(1);
  }
}
