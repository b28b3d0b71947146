// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.Problem;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.controlplane.translate.GrpcSupport;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is told of an object's routes and gRPC clients. */
class GrpcConditionTest {
  private static final Problem REDIRECT =
      new Problem("spec.routes[1]", Problem.Kind.UNSUPPORTED, "requestRedirectPolicy");
  private static final Problem MIRROR =
      new Problem("spec.routes[0].services[1].mirror", Problem.Kind.UNSUPPORTED, "not mirrored");

  private static ObjectStatus status(ObjectStatus before, GrpcSupport grpc) {
    return GrpcCondition.addTo(
        before,
        new TranslatedObject(
            new ObjectKey("HTTPProxy", "shop", "web"),
            3,
            List.of(),
            List.of(),
            grpc,
            TranslatedObject.Participation.OURS,
            PersistentMap.empty()),
        Instant.EPOCH);
  }

  private static @Nullable Condition condition(List<Problem> unavailable, List<Problem> ignored) {
    return status(ObjectStatus.empty(), new GrpcSupport(/* offered= */ true, unavailable, ignored))
        .condition("GrpcRoutes");
  }

  private static Condition expected(Condition.Status status, String reason, String message) {
    return new Condition("GrpcRoutes", status, reason, message, 3, Instant.EPOCH);
  }

  @Test
  void routesAreUsableOrNamedWithTheReason() {
    assertThat(condition(List.of(), List.of()))
        .isEqualTo(expected(Condition.Status.TRUE, "AllUsable", "gRPC clients can use all routes"));
    assertThat(condition(List.of(), List.of(MIRROR)))
        .isEqualTo(
            expected(
                Condition.Status.TRUE,
                "FieldsIgnored",
                "gRPC clients can use all routes; without effect on gRPC clients:"
                    + " spec.routes[0].services[1].mirror: not mirrored"));
    assertThat(condition(List.of(REDIRECT), List.of(MIRROR)))
        .isEqualTo(
            expected(
                Condition.Status.FALSE,
                "RoutesUnavailable",
                "calls of gRPC clients fail on spec.routes[1]: requestRedirectPolicy; without"
                    + " effect on gRPC clients: spec.routes[0].services[1].mirror: not mirrored"));
  }

  @Test
  void longListIsCut() {
    Condition condition = condition(Collections.nCopies(12, REDIRECT), List.of());

    assertThat(condition).isNotNull();
    assertThat(condition.message()).endsWith(" (and 2 more)");
  }

  @Test
  void objectThatGrpcClientsNeverSeeHasNoCondition() {
    ObjectStatus before =
        status(ObjectStatus.empty(), new GrpcSupport(/* offered= */ true, List.of(), List.of()));

    assertThat(status(before, GrpcSupport.NONE)).isEqualTo(ObjectStatus.empty());
  }
}
