// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.transport.AdsProtocol;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The four types, by the names that they have on the stage. */
enum StageType {
  LDS(TypeUrls.LISTENER, "svc", "no routes"),
  RDS(TypeUrls.ROUTE_CONFIGURATION, "r", "num_retries"),
  CDS(TypeUrls.CLUSTER, "c", "STATIC"),
  EDS(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "c", "priorit");

  final String url;
  final String resource;
  final String complaint;

  StageType(String url, String resource, String complaint) {
    this.url = url;
    this.resource = resource;
    this.complaint = complaint;
  }

  /** From the listener down. */
  static List<StageType> inOrder() {
    return List.of(LDS, RDS, CDS, EDS);
  }

  /** Each with each protocol, for tests with these two parameters. */
  static Stream<Arguments> inBothProtocols() {
    return Stream.of(AdsProtocol.values())
        .flatMap(protocol -> Stream.of(values()).map(type -> Arguments.of(protocol, type)));
  }
}
