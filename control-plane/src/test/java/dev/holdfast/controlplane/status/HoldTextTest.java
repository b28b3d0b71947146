// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.hold.Hold;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HoldTextTest {
  private static final ObjectKey WEB = new ObjectKey("HTTPProxy", "shop", "web");
  private static final ObjectKey LUA = new ObjectKey("ExtensionPolicy", "shop", "lua");
  private static final Evidence CERTIFICATE =
      new Evidence(
          "envoy 1.39",
          "envoy 1.39.0",
          new ResourceId(ResourceType.ROUTES, "ingress_http"),
          "digest",
          "bad lua",
          Instant.EPOCH);

  private static Hold hold(long served, Hold.Reason reason, @Nullable Evidence certificate) {
    ObjectKey cause =
        Set.of(Hold.Reason.DEPENDENCY_REJECTED, Hold.Reason.CONFLICT).contains(reason) ? LUA : null;
    return new Hold(
        WEB,
        3,
        served,
        reason,
        certificate,
        cause,
        null,
        List.of(),
        Instant.EPOCH,
        /* closed= */ false);
  }

  @Test
  void rejectionNamesProxyResourceAndMessage() {
    Hold hold = hold(2, Hold.Reason.REJECTED, CERTIFICATE);

    assertThat(HoldText.reason(hold)).isEqualTo("Rejected");
    assertThat(HoldText.message(hold)).isEqualTo("bad lua");
    assertThat(HoldText.sentence(hold))
        .isEqualTo(
            "generation 3 rejected by envoy 1.39.0 in RouteConfiguration ingress_http: bad lua");
  }

  @Test
  void objectThatWasNeverServedHasReasonRejectedNew() {
    assertThat(HoldText.reason(hold(0, Hold.Reason.REJECTED, CERTIFICATE)))
        .isEqualTo("RejectedNew");
  }

  @Test
  void dependencyRejectedNamesTheCause() {
    Hold hold = hold(0, Hold.Reason.DEPENDENCY_REJECTED, null);

    assertThat(HoldText.message(hold))
        .isEqualTo(
            "waits for ExtensionPolicy/shop/lua, which is for this object and is not in force")
        .isEqualTo(HoldText.sentence(hold));
  }

  @Test
  void conflictNamesTheOtherObject() {
    Hold hold = hold(2, Hold.Reason.CONFLICT, CERTIFICATE);

    assertThat(HoldText.reason(hold)).isEqualTo("Conflict");
    assertThat(HoldText.sentence(hold))
        .isEqualTo(
            "generation 3 rejected together with ExtensionPolicy/shop/lua by envoy 1.39.0"
                + " in RouteConfiguration ingress_http: bad lua");
  }

  @Test
  void reasonsListsEveryReason() {
    for (Hold.Reason reason : Hold.Reason.values()) {
      assertThat(HoldText.REASONS).contains(HoldText.reason(hold(0, reason, null)));
      assertThat(HoldText.REASONS).contains(HoldText.reason(hold(1, reason, null)));
    }
    assertThat(HoldText.REASONS).isSorted().doesNotHaveDuplicates();
  }
}
