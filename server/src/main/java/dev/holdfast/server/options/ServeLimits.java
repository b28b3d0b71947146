// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static java.util.Objects.requireNonNull;

import dev.holdfast.controlplane.ObjectLimits;
import dev.holdfast.controlplane.ads.wire.AdsLimits;

/**
 * What those who connect may use up. docs/serve.md lists all limits.
 *
 * @param xds for proxies
 * @param objects for authors
 * @param requestBytes the size of one request of a proxy
 * @param eventStreams how many callers of the admin API may listen to events at once
 */
public record ServeLimits(AdsLimits xds, ObjectLimits objects, int requestBytes, int eventStreams) {
  private static final long LARGEST_REQUEST = 16 << 20;

  public ServeLimits {
    requireNonNull(xds, "xds");
    requireNonNull(objects, "objects");
  }

  public static ServeLimits defaults() {
    return new ServeLimits(
        AdsLimits.defaults(),
        ObjectLimits.defaults(),
        (int) Math.min(LARGEST_REQUEST, Runtime.getRuntime().maxMemory() / 64),
        /* eventStreams= */ 32);
  }
}
