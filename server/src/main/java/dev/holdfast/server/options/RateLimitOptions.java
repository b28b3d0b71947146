// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.objects.httpproxy.GlobalRateLimit;
import dev.holdfast.controlplane.objects.read.TextRules;
import dev.holdfast.controlplane.translate.index.RateLimitService;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about the service that counts requests; null is what it does not say.
 *
 * @param service the ExtensionService
 * @param domain what the service is asked about
 * @param failOpen whether requests pass if the service cannot be asked
 * @param headers whether responses tell of the limit
 * @param resourceExhausted whether a gRPC call over the limit has that status
 * @param defaultLimit of every host that has no limit of its own
 */
public record RateLimitOptions(
    @Nullable ObjectKey service,
    @Nullable String domain,
    @Nullable Boolean failOpen,
    @Nullable Boolean headers,
    @Nullable Boolean resourceExhausted,
    @Nullable GlobalRateLimit defaultLimit) {
  private static final String DEFAULT_DOMAIN = "contour";
  private static final RateLimitOptions NONE =
      new RateLimitOptions(null, null, null, null, null, null);

  /** Says nothing. */
  public static RateLimitOptions none() {
    return NONE;
  }

  RateLimitOptions orElse(RateLimitOptions other) {
    return new RateLimitOptions(
        service == null ? other.service : service,
        domain == null ? other.domain : domain,
        failOpen == null ? other.failOpen : failOpen,
        headers == null ? other.headers : headers,
        resourceExhausted == null ? other.resourceExhausted : resourceExhausted,
        defaultLimit == null ? other.defaultLimit : defaultLimit);
  }

  /** The service, with defaults for what nobody says; null if there is none. */
  @Nullable RateLimitService complete() {
    return service == null
        ? null
        : new RateLimitService(
            service,
            domain == null ? DEFAULT_DOMAIN : domain,
            failOpen != null && failOpen,
            headers != null && headers,
            resourceExhausted != null && resourceExhausted,
            defaultLimit);
  }

  /**
   * The ExtensionService that {@code NAMESPACE/NAME} is.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static ObjectKey service(String text) {
    int slash = text.indexOf('/');
    // Names of objects have the same form, whatever their kind.
    if (slash < 0 || !TextRules.SECRET_REFERENCE.accepts().test(text)) {
      throw new IllegalArgumentException("'" + text + "' (expected: NAMESPACE/NAME)");
    }
    return new ObjectKey(
        ExtensionService.KIND, text.substring(0, slash), text.substring(slash + 1));
  }
}
