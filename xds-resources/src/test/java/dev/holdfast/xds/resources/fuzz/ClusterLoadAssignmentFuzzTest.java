// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignmentDecoder;

class ClusterLoadAssignmentFuzzTest {

  @FuzzTest(maxDuration = "90s")
  void decodingThrowsNothingAndIsBounded(byte[] data) {
    Invariants.check(data, ClusterLoadAssignmentDecoder::decode);
  }
}
