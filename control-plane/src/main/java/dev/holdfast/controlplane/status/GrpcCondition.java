// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import dev.holdfast.base.Problem;
import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectStatus;
import dev.holdfast.controlplane.translate.GrpcSupport;
import dev.holdfast.controlplane.translate.TranslatedObject;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The condition {@code GrpcRoutes}: whether proxyless gRPC clients can use all routes of an object.
 * It says nothing of what Envoy does with them. Objects that gRPC clients never see have no such
 * condition.
 */
final class GrpcCondition {
  static final String TYPE = "GrpcRoutes";
  private static final int MOST_LISTED = 10;

  private GrpcCondition() {}

  /** The status with the condition as it is now. */
  static ObjectStatus addTo(ObjectStatus status, TranslatedObject object, Instant now) {
    GrpcSupport grpc = object.grpc();
    if (!grpc.offered()) {
      return status.without(TYPE);
    }
    boolean usable = grpc.unavailable().isEmpty();
    String reason =
        !usable ? "RoutesUnavailable" : grpc.ignored().isEmpty() ? "AllUsable" : "FieldsIgnored";
    return status.with(
        new Condition(
            TYPE,
            usable ? Condition.Status.TRUE : Condition.Status.FALSE,
            reason,
            message(grpc),
            object.generation(),
            now));
  }

  private static String message(GrpcSupport grpc) {
    String routes =
        grpc.unavailable().isEmpty()
            ? "gRPC clients can use all routes"
            : "calls of gRPC clients fail on " + list(grpc.unavailable());
    return grpc.ignored().isEmpty()
        ? routes
        : routes + "; without effect on gRPC clients: " + list(grpc.ignored());
  }

  private static String list(List<Problem> problems) {
    String listed =
        problems.stream()
            .limit(MOST_LISTED)
            .map(Problem::toString)
            .collect(Collectors.joining(", "));
    int more = problems.size() - MOST_LISTED;
    return more > 0 ? listed + " (and " + more + " more)" : listed;
  }
}
