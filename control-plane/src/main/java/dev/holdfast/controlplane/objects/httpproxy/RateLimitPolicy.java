// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import org.jspecify.annotations.Nullable;

/** The limits of a virtual host or route; null for none of a sort. */
public record RateLimitPolicy(@Nullable LocalRateLimit local, @Nullable GlobalRateLimit global) {
  private static final RateLimitPolicy NONE = new RateLimitPolicy(null, null);

  /** The field {@code rateLimitPolicy} of a virtual host or route. */
  static RateLimitPolicy of(Fields parent) {
    RateLimitPolicy policy = parent.group("rateLimitPolicy", RateLimitPolicy::decode);
    return policy == null ? NONE : policy;
  }

  private static RateLimitPolicy decode(Fields fields) {
    RateLimitPolicy policy =
        new RateLimitPolicy(
            fields.group("local", LocalRateLimit::decode),
            fields.group("global", GlobalRateLimit::decode));
    if (!fields.has("local") && !fields.has("global")) {
      fields.missing("local", "missing");
    }
    return policy;
  }

  /** Whether a service applies limits to these requests. */
  public boolean asksService() {
    return global != null && !global.disabled();
  }

  /** Whether a route is exempt from the limits that a service applies for its host. */
  public boolean exempt() {
    return global != null && global.disabled();
  }
}
