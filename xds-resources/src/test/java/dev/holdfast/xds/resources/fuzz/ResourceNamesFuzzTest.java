// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.xds.resources.ResourceNames;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;

class ResourceNamesFuzzTest {

  @FuzzTest(maxDuration = "60s")
  void peekingAgreesWithParsing(byte[] data) {
    ByteString bytes = ByteString.copyFrom(data);
    String peeked = ResourceNames.peek(bytes);
    try {
      String parsed = Cluster.parseFrom(bytes).getName();
      assertThat(peeked).isIn(parsed, null);
    } catch (InvalidProtocolBufferException e) {
      // The name of what is broken further inside may or may not be readable.
    }
  }
}
