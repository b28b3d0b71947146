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
    @Nullable LocalRateLimit rateLimit,
    @Nullable IpFilter ipFilter) {

  static VirtualHost decode(Fields fields) {
    VirtualHost host =
        new VirtualHost(
            fields.requiredText("fqdn", TextRules.HOST_OR_WILDCARD),
            fields.group("tls", Tls::decode),
            fields.group("corsPolicy", CorsPolicy::decode),
            LocalRateLimit.policy(fields),
            IpFilter.decode(fields));
    fields.reject("authorization", "external authorization");
    fields.reject("jwtProviders", "JWT verification");
    return host;
  }
}
