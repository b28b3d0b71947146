// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.xds.resources.route.RetryPolicy;
import io.grpc.NameResolver.ConfigOrError;
import io.grpc.NameResolver.ServiceConfigParser;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The terms of calls in the form that a channel wants: parsed once for all routes with the same
 * timeout and the same retry policy, and kept from one table of routes to the next. Not
 * thread-safe.
 */
public final class MethodConfigs {
  private final ServiceConfigParser parser;
  private Map<Terms, StatusOr<Object>> parsed = new HashMap<>();
  private Map<Terms, StatusOr<Object>> earlier = new HashMap<>();
  private @Nullable Boolean retries;

  /**
   * @param parser the channel's own; it ignores retry policies if the channel has retries disabled
   */
  public MethodConfigs(ServiceConfigParser parser) {
    this.parser = parser;
  }

  private record Terms(Duration timeout, @Nullable RetryPolicy retryPolicy) {}

  /**
   * Whether the channel tries calls again at all. It does not say so, but a policy makes no
   * difference to its parser if it does not.
   *
   * @param any a policy to find out with
   */
  boolean channelRetries(RetryPolicy any) {
    Boolean known = retries;
    if (known == null) {
      Map<String, Object> method = new LinkedHashMap<>();
      method.put("name", List.of(Map.of()));
      Object without = parsed(method);
      method.put("retryPolicy", retryPolicy(any));
      known = !Objects.equals(without, parsed(method));
      retries = known;
    }
    return known;
  }

  private @Nullable Object parsed(Map<String, Object> method) {
    return parser
        .parseServiceConfig(Map.of("methodConfig", List.of(new LinkedHashMap<>(method))))
        .getConfig();
  }

  /** Forgets what was not asked for since this was last called. */
  void startOver() {
    earlier = parsed;
    parsed = new HashMap<>();
  }

  /**
   * The object that the channel understands.
   *
   * @param timeout zero for none
   */
  StatusOr<Object> of(Duration timeout, @Nullable RetryPolicy retryPolicy) {
    Terms terms = new Terms(timeout, retryPolicy);
    StatusOr<Object> known = parsed.get(terms);
    if (known == null) {
      known = earlier.get(terms);
      known = known == null ? parse(terms) : known;
      parsed.put(terms, known);
    }
    return known;
  }

  private StatusOr<Object> parse(Terms terms) {
    ConfigOrError result = parser.parseServiceConfig(serviceConfig(terms));
    Object config = result.getConfig();
    if (config != null) {
      return StatusOr.fromValue(config);
    }
    Status error = result.getError();
    return StatusOr.fromStatus(
        Status.UNAVAILABLE.withDescription(
            "timeout "
                + terms.timeout()
                + " and "
                + terms.retryPolicy()
                + ": refused by gRPC: "
                + (error == null ? "nothing said" : error.getDescription())));
  }

  /** Empty if there is nothing to say. */
  private static Map<String, ?> serviceConfig(Terms terms) {
    Map<String, Object> method = new LinkedHashMap<>();
    method.put("name", List.of(Map.of()));
    if (!terms.timeout().isZero()) {
      method.put("timeout", text(terms.timeout()));
    }
    if (terms.retryPolicy() != null) {
      method.put("retryPolicy", retryPolicy(terms.retryPolicy()));
    }
    return method.size() == 1 ? Map.of() : Map.of("methodConfig", List.of(method));
  }

  private static Map<String, ?> retryPolicy(RetryPolicy policy) {
    List<String> codes = new ArrayList<>();
    policy.retryableCodes().forEach(code -> codes.add(code.name()));
    Map<String, Object> retry = new LinkedHashMap<>();
    retry.put("maxAttempts", (double) policy.maxAttempts());
    retry.put("initialBackoff", text(policy.initialBackoff()));
    retry.put("maxBackoff", text(policy.maxBackoff()));
    retry.put("backoffMultiplier", (double) RetryPolicy.BACKOFF_MULTIPLIER);
    retry.put("retryableStatusCodes", codes);
    return retry;
  }

  /** As protobuf's JSON has durations: {@code 1.500000000s}. */
  private static String text(Duration duration) {
    return String.format(Locale.ROOT, "%d.%09ds", duration.getSeconds(), duration.getNano());
  }
}
