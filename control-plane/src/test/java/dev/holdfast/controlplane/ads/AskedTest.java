// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.snapshot.ResourceType;
import org.junit.jupiter.api.Test;

/** What a request is about. */
final class AskedTest {
  private static final String CLUSTERS = ResourceType.CLUSTER.typeUrl();

  @Test
  void aStreamForAllTypesGoesByTheRequest() {
    assertThat(Asked.of(CLUSTERS, null, "").type()).isEqualTo(ResourceType.CLUSTER);
    assertThat(Asked.of("type.googleapis.com/nobody.Knows", null, "").type()).isNull();
    assertThat(Asked.of("", null, "").type()).isNull();
  }

  @Test
  void aStreamForOneTypeNeedNotBeToldAndTakesNoOther() {
    assertThat(Asked.of("", ResourceType.CLUSTER, "").type()).isEqualTo(ResourceType.CLUSTER);
    assertThat(Asked.of(CLUSTERS, ResourceType.CLUSTER, "").type()).isEqualTo(ResourceType.CLUSTER);
    assertThat(Asked.of(CLUSTERS, ResourceType.ROUTES, "").type()).isNull();
  }
}
