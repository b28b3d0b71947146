// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.ResourceType;
import org.junit.jupiter.api.Test;

/** The resource type of a request. */
final class TypedRequestTest {
  private static final String CLUSTERS = ResourceType.CLUSTER.typeUrl();

  @Test
  void anAggregatedStreamTakesTheTypeOfTheRequest() {
    assertThat(TypedRequest.of(CLUSTERS, null, "").type()).isEqualTo(ResourceType.CLUSTER);
    assertThat(TypedRequest.of("type.googleapis.com/nobody.Knows", null, "").type()).isNull();
    assertThat(TypedRequest.of("", null, "").type()).isNull();
  }

  @Test
  void aStreamForOneTypeNeedsNoTypeUrlAndTakesNoOtherType() {
    assertThat(TypedRequest.of("", ResourceType.CLUSTER, "").type())
        .isEqualTo(ResourceType.CLUSTER);
    assertThat(TypedRequest.of(CLUSTERS, ResourceType.CLUSTER, "").type())
        .isEqualTo(ResourceType.CLUSTER);
    assertThat(TypedRequest.of(CLUSTERS, ResourceType.ROUTES, "").type()).isNull();
  }
}
