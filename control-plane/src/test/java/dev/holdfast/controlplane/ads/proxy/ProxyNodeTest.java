// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.Node;
import org.junit.jupiter.api.Test;

/** What a proxy says of itself decides its class, but not by its spelling. */
class ProxyNodeTest {
  private static String classOf(String agent, String version, String group) {
    Struct metadata =
        Struct.newBuilder()
            .putFields("holdfast_group", Value.newBuilder().setStringValue(group).build())
            .build();
    return ProxyNode.of(
            Node.newBuilder()
                .setUserAgentName(agent)
                .setUserAgentVersion(version)
                .setMetadata(metadata)
                .build(),
            "id")
        .proxyClass();
  }

  @Test
  void theUsualNameIsReadable() {
    assertThat(classOf("envoy", "1.39.0", "edge")).isEqualTo("envoy 1.39.0 edge");
  }

  @Test
  void noPartLooksLikeTwo() {
    String real = classOf("envoy", "1.39.0", "edge");

    assertThat(classOf("envoy 1.39.0 edge", "", "")).isNotEqualTo(real);
    assertThat(classOf("envoy", "1.39.0 edge", "")).isNotEqualTo(real);
    assertThat(classOf("envoy", "", "1.39.0 edge")).isNotEqualTo(real);
    assertThat(classOf("envoy", "1.39.0", "a%20%b"))
        .isNotEqualTo(classOf("envoy", "1.39.0", "a b"));
  }
}
