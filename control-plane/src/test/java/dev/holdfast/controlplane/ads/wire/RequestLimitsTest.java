// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What a single request may contain. */
class RequestLimitsTest {
  private static final int MANY = 1_000_000;

  private final AdsLimits limits = AdsLimits.of(256 << 20);
  private final RequestLimits check = new RequestLimits(limits);

  private static DiscoveryRequest of(Node.Builder node) {
    return DiscoveryRequest.newBuilder().setNode(node).build();
  }

  private static String text(int bytes) {
    return "x".repeat(bytes);
  }

  private void refuses(Node.Builder node, String limit) {
    Refusal refusal = check.check(of(node));
    assertThat(refusal).isNotNull();
    assertThat(refusal.limit()).isEqualTo(limit);
    assertThat(refusal.status().getCode()).isEqualTo(io.grpc.Status.Code.INVALID_ARGUMENT);
    assertThat(refusal.status().getDescription()).contains("limit " + limit);
  }

  @Test
  void aNodeOfUsualSizeIsTaken() {
    assertThat(check.check(of(Node.newBuilder().setId(text(limits.nodeId()))))).isNull();
    assertThat(check.check(DeltaDiscoveryRequest.getDefaultInstance())).isNull();
  }

  @Test
  void everyTextOfANodeHasALimit() {
    refuses(Node.newBuilder().setId(text(8 << 20)), "nodeId");
    refuses(Node.newBuilder().setCluster(text(limits.agent() + 1)), "agent");
    refuses(Node.newBuilder().setUserAgentName(text(limits.agent() + 1)), "agent");
    refuses(Node.newBuilder().setUserAgentVersion(text(limits.agent() + 1)), "agent");
    Value longText = Value.newBuilder().setStringValue(text(limits.agent() + 1)).build();
    Node.Builder labelled = Node.newBuilder();
    labelled.getMetadataBuilder().putFields("holdfast_group", longText);
    refuses(labelled, "agent");
    Node.Builder built = Node.newBuilder();
    built
        .getUserAgentBuildVersionBuilder()
        .setMetadata(Struct.newBuilder().putFields("build.label", longText));
    refuses(built, "agent");
    Node.Builder large = Node.newBuilder();
    large
        .getMetadataBuilder()
        .putFields("x", Value.newBuilder().setStringValue(text(limits.node())).build());
    refuses(large, "node");
  }

  @Test
  void namesHaveLimits() {
    DiscoveryRequest many =
        DiscoveryRequest.newBuilder().addAllResourceNames(Collections.nCopies(MANY, "n")).build();
    Refusal refusal = check.check(many);
    assertThat(refusal).isNotNull();
    assertThat(refusal.limit()).isEqualTo("names");
    assertThat(refusal.status().getCode()).isEqualTo(io.grpc.Status.Code.RESOURCE_EXHAUSTED);

    DeltaDiscoveryRequest large =
        DeltaDiscoveryRequest.newBuilder()
            .addResourceNamesUnsubscribe(text(limits.nameLength() + 1))
            .build();
    Refusal tooLong = check.check(large);
    assertThat(tooLong).isNotNull();
    assertThat(tooLong.limit()).isEqualTo("nameLength");
  }

  @Test
  void initialVersionsHaveALimit() {
    DeltaDiscoveryRequest.Builder request = DeltaDiscoveryRequest.newBuilder();
    for (int i = 0; i <= limits.versions(); i++) {
      request.putInitialResourceVersions("n" + i, "");
    }
    Refusal refusal = check.check(request.build());
    assertThat(refusal).isNotNull();
    assertThat(refusal.limit()).isEqualTo("versions");
  }

  @Test
  void aLongErrorTextIsCut() {
    Status error = Status.newBuilder().setCode(13).setMessage("ü".repeat(MANY)).build();
    DiscoveryRequest sotw = check.trim(DiscoveryRequest.newBuilder().setErrorDetail(error).build());
    assertThat(sotw.getErrorDetail().getMessage()).isEqualTo("ü".repeat(limits.errorText()));
    DeltaDiscoveryRequest delta =
        check.trim(DeltaDiscoveryRequest.newBuilder().setErrorDetail(error).build());
    assertThat(delta.getErrorDetail()).isEqualTo(sotw.getErrorDetail());
    DiscoveryRequest usual =
        DiscoveryRequest.newBuilder().setErrorDetail(Status.newBuilder().setMessage("no")).build();
    assertThat(check.trim(usual)).isSameAs(usual);
  }

  @Test
  void everyLimitCanBeSetByItsName() {
    AdsLimits all = limits;
    for (int i = 0; i < AdsLimits.NAMES.size(); i++) {
      all = all.with(AdsLimits.NAMES.get(i), i + 1);
    }
    assertThat(all).isEqualTo(new AdsLimits(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
  }
}
