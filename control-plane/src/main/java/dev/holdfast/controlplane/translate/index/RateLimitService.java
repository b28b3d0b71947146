// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.GlobalRateLimit;
import org.jspecify.annotations.Nullable;

/**
 * The service that counts requests for all proxies together.
 *
 * @param extension the ExtensionService
 * @param domain what the service is asked about
 * @param failOpen whether requests pass if the service cannot be asked
 * @param headers whether responses tell of the limit
 * @param resourceExhausted whether a gRPC call over the limit has that status, not UNAVAILABLE
 * @param defaultLimit of every host of an HTTPProxy that has no limit of its own, and is not
 *     exempt; null for none
 */
public record RateLimitService(
    ObjectKey extension,
    String domain,
    boolean failOpen,
    boolean headers,
    boolean resourceExhausted,
    @Nullable GlobalRateLimit defaultLimit) {
  public RateLimitService {
    requireNonNull(extension, "extension");
    requireNonNull(domain, "domain");
  }
}
