// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.Timeout;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a request is retried.
 *
 * @param count how often; 0 is never
 * @param perTryTimeout null for the timeout of the route
 */
public record RetryPolicy(
    List<On> on, int count, List<Integer> statusCodes, @Nullable Duration perTryTimeout) {

  /** The conditions on which a request is retried. */
  public enum On implements EnumWord {
    ANY_5XX("5xx"),
    GATEWAY_ERROR("gateway-error"),
    RESET("reset"),
    RESET_BEFORE_REQUEST("reset-before-request"),
    CONNECT_FAILURE("connect-failure"),
    ENVOY_RATELIMITED("envoy-ratelimited"),
    RETRIABLE_4XX("retriable-4xx"),
    REFUSED_STREAM("refused-stream"),
    RETRIABLE_STATUS_CODES("retriable-status-codes"),
    RETRIABLE_HEADERS("retriable-headers"),
    HTTP3_POST_CONNECT_FAILURE("http3-post-connect-failure"),
    CANCELLED("cancelled"),
    DEADLINE_EXCEEDED("deadline-exceeded"),
    INTERNAL("internal"),
    RESOURCE_EXHAUSTED("resource-exhausted"),
    UNAVAILABLE("unavailable");

    private final String word;

    On(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  static RetryPolicy decode(Fields fields) {
    long count = fields.integer("count", -1, Integer.MAX_VALUE, 1);
    Timeout perTry = fields.timeout("perTryTimeout");
    List<On> on = fields.enumValues("retryOn", On.class);
    List<Long> codes = fields.integers("retriableStatusCodes", 100, 599);
    return new RetryPolicy(
        on.isEmpty() ? List.of(On.ANY_5XX) : on,
        // As in Contour: -1 is none, and 0 counts as not set.
        (int) (count == -1 ? 0 : count == 0 ? 1 : count),
        codes.stream().map(Long::intValue).toList(),
        perTry.kind() == Timeout.Kind.AFTER ? perTry.duration() : null);
  }
}
