// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import org.jspecify.annotations.Nullable;

/** The host that a root proxy serves. */
public record VirtualHost(
    String fqdn,
    @Nullable Tls tls,
    @Nullable CorsPolicy cors,
    RateLimitPolicy rateLimits,
    @Nullable IpFilter ipFilter,
    @Nullable Authorization authorization) {

  /** The same host with a limit that a service applies. */
  public VirtualHost limitedBy(GlobalRateLimit limit) {
    return new VirtualHost(
        fqdn, tls, cors, new RateLimitPolicy(rateLimits.local(), limit), ipFilter, authorization);
  }

  /** The same host with another authorization. */
  public VirtualHost authorizedBy(@Nullable Authorization other) {
    return new VirtualHost(fqdn, tls, cors, rateLimits, ipFilter, other);
  }

  static VirtualHost decode(Fields fields) {
    VirtualHost host =
        new VirtualHost(
            fields.requiredText("fqdn", TextRules.HOST_OR_WILDCARD),
            fields.group("tls", Tls::decode),
            fields.group("corsPolicy", CorsPolicy::decode),
            RateLimitPolicy.of(fields),
            IpFilter.decode(fields),
            fields.group("authorization", Authorization::decode));
    fields.reject("jwtProviders", "JWT verification");
    boolean asksService = host.authorization() != null && host.authorization().hasService();
    if (asksService && (host.tls() == null || host.tls().passthrough())) {
      fields.invalid(
          "authorization", "without TLS that ends at the proxy (expected: tls.secretName as well)");
    }
    if (asksService && host.tls() != null && host.tls().fallback()) {
      fields.invalid(
          "authorization",
          "not possible with tls.enableFallbackCertificate (expected: one of them)");
    }
    return host;
  }
}
