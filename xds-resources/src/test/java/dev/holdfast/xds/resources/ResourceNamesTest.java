// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.xds.resources.testing.Protos;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import org.junit.jupiter.api.Test;

class ResourceNamesTest {

  @Test
  void readsTheNameOfEachType() {
    assertThat(ResourceNames.peek(Protos.listener("name: 'l' api_listener {}"))).isEqualTo("l");
    assertThat(ResourceNames.peek(Protos.routeConfiguration("name: 'r'"))).isEqualTo("r");
    assertThat(ResourceNames.peek(Protos.cluster("name: 'c' type: EDS"))).isEqualTo("c");
    assertThat(ResourceNames.peek(Protos.clusterLoadAssignment("cluster_name: 'e'")))
        .isEqualTo("e");
  }

  @Test
  void lastNameWinsAsInEveryMessage() throws Exception {
    ByteString twice = Protos.cluster("name: 'first'").concat(Protos.cluster("name: 'last'"));

    assertThat(ResourceNames.peek(twice)).isEqualTo("last");
    assertThat(Cluster.parseFrom(twice).getName()).isEqualTo("last");
  }

  @Test
  void fieldOneOfANestedMessageIsNotTheName() {
    ByteString bytes = Protos.cluster("load_assignment { cluster_name: 'inner' } name: 'outer'");

    assertThat(ResourceNames.peek(bytes)).isEqualTo("outer");
    assertThat(ResourceNames.peek(Protos.cluster("load_assignment { cluster_name: 'inner' }")))
        .isNull();
  }

  @Test
  void noNameOrAnEmptyOneIsNone() {
    assertThat(ResourceNames.peek(ByteString.EMPTY)).isNull();
    assertThat(ResourceNames.peek(ByteString.fromHex("0a00"))).isNull();
  }

  @Test
  void malformedBytesHaveNoName() {
    assertThat(ResourceNames.peek(ByteString.fromHex("0a05"))).as("cut short").isNull();
    assertThat(ResourceNames.peek(ByteString.fromHex("0a01630c"))).as("stray end group").isNull();
    assertThat(ResourceNames.peek(ByteString.fromHex("0a01ff"))).as("not UTF-8").isNull();
    assertThat(ResourceNames.peek(ByteString.fromHex("0a016307"))).as("bad wire type").isNull();
    assertThat(ResourceNames.peek(ByteString.fromHex("0a016300"))).as("tag zero").isNull();
  }

  @Test
  void otherWireTypesOfFieldOneAreSkipped() {
    assertThat(ResourceNames.peek(ByteString.fromHex("08010a0163"))).isEqualTo("c");
  }

  /** Protobuf reads such a number from 4.x on, but no version skips it. */
  @Test
  void overlongNumberThatProtobufDoesNotSkipLeavesTheNameToFullDecoding() {
    assertThat(ResourceNames.peek(ByteString.fromHex("0a016378" + "fd".repeat(10)))).isNull();
  }
}
