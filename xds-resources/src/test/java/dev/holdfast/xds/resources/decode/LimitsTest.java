// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.cluster.ClusterDecoder;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignmentDecoder;
import dev.holdfast.xds.resources.listener.ListenerDecoder;
import dev.holdfast.xds.resources.route.RouteConfigurationDecoder;
import dev.holdfast.xds.resources.testing.Outcomes;
import io.envoyproxy.envoy.config.core.v3.Metadata;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever the bytes, decoding ends soon and in bounded memory. */
class LimitsTest {

  @Test
  void millionBrokenEntriesMakeAThousandProblems() {
    ByteString bytes =
        ClusterLoadAssignment.newBuilder()
            .setClusterName("e")
            .addEndpoints(
                LocalityLbEndpoints.newBuilder()
                    .setLoadBalancingWeight(com.google.protobuf.UInt32Value.of(1))
                    .addAllLbEndpoints(
                        Collections.nCopies(1_000_000, LbEndpoint.getDefaultInstance())))
            .build()
            .toByteString();

    List<Problem> problems =
        Outcomes.kinds(ClusterLoadAssignmentDecoder.decode(bytes, DecodeOptions.defaults()));

    assertThat(problems).hasSize(Decoding.MAX_PROBLEMS + 1);
    assertThat(problems.get(Decoding.MAX_PROBLEMS - 1).path())
        .isEqualTo("endpoints[0].lb_endpoints[999].endpoint");
    assertThat(problems.get(Decoding.MAX_PROBLEMS).toString())
        .isEqualTo("more than 1000 problems, of which the first are listed");
  }

  @Test
  void brokenEntriesOfNestedListsCountTogether() {
    VirtualHost host =
        VirtualHost.newBuilder()
            .addAllRoutes(
                Collections.nCopies(
                    100, io.envoyproxy.envoy.config.route.v3.Route.getDefaultInstance()))
            .build();
    ByteString bytes =
        RouteConfiguration.newBuilder()
            .setName("r")
            .addAllVirtualHosts(Collections.nCopies(1_000, host))
            .build()
            .toByteString();

    assertThat(Outcomes.kinds(RouteConfigurationDecoder.decode(bytes, DecodeOptions.defaults())))
        .hasSizeBetween(Decoding.MAX_PROBLEMS, Decoding.MAX_PROBLEMS + 10);
  }

  @Test
  void megabyteOfANameIsCutInTheError() {
    ByteString bytes =
        RouteConfiguration.newBuilder()
            .setName("r")
            .addVirtualHosts(VirtualHost.newBuilder().addDomains("*" + "x".repeat(1_000_000) + "*"))
            .build()
            .toByteString();

    assertThat(Outcomes.problems(RouteConfigurationDecoder.decode(bytes, DecodeOptions.defaults())))
        .singleElement()
        .asString()
        .hasSizeLessThan(300);
  }

  @Test
  void messagesNestedTooDeepAreUndecodable() {
    // A Struct within a Struct within a Struct: field 1 of Metadata, Struct, Value in turn.
    ByteString nested = ByteString.EMPTY;
    for (int i = 0; i < 10_000 && nested.size() < 1 << 20; i++) {
      nested = lengthDelimited(1, lengthDelimited(2, lengthDelimited(5, nested)));
    }
    ByteString metadata = lengthDelimited(1, lengthDelimited(2, nested));
    ByteString bytes =
        lengthDelimited(
            io.envoyproxy.envoy.config.cluster.v3.Cluster.METADATA_FIELD_NUMBER, metadata);

    assertThat(Metadata.FILTER_METADATA_FIELD_NUMBER).isEqualTo(1);
    assertUndecodable(ClusterDecoder.decode(bytes, DecodeOptions.defaults()));
  }

  @Test
  void randomTextIsUndecodable() {
    ByteString text = ByteString.copyFromUtf8("{\"name\": \"json\"}");

    assertUndecodable(ListenerDecoder.decode(text, DecodeOptions.defaults()));
  }

  private static void assertUndecodable(Decoded<?> decoded) {
    assertThat(decoded.name()).isNull();
    assertThat(Outcomes.kinds(decoded))
        .extracting(Problem::kind)
        .containsExactly(Problem.Kind.UNDECODABLE);
  }

  private static ByteString lengthDelimited(int field, ByteString content) {
    return com.google.protobuf.UnknownFieldSet.newBuilder()
        .addField(
            field,
            com.google.protobuf.UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(content)
                .build())
        .build()
        .toByteString();
  }
}
