// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ResourceKeyTest {
  @Test
  void theNameIsEverythingAfterTheFirstSlash() {
    assertThat(ResourceKey.parse("cluster/xdstp://a/envoy.config.cluster.v3.Cluster/b?c=d"))
        .isEqualTo(
            new ResourceKey(TypeAlias.CLUSTER, "xdstp://a/envoy.config.cluster.v3.Cluster/b?c=d"));
  }

  @Test
  void everyTypeHasItsWord() {
    for (TypeAlias type : TypeAlias.values()) {
      ResourceKey key = new ResourceKey(type, "n");
      assertThat(ResourceKey.parse(key.toString())).isEqualTo(key);
    }
  }

  @Test
  void whatIsNotAKeyIsExplained() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceKey.parse("shop"))
        .withMessage(
            "'shop' (expected: TYPE/NAME with TYPE one of listener, route, cluster, endpoint)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceKey.parse("Cluster/shop"))
        .withMessage("type 'Cluster' (expected: one of listener, route, cluster, endpoint)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResourceKey.parse("cluster/"))
        .withMessage("the name of the cluster is missing");
  }
}
