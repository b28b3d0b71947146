// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import java.time.Duration;

/**
 * What all listeners have in common.
 *
 * @param ads where routes, certificates and filters are found
 * @param streamIdleTimeout after which a request on which nothing moves is given up, unless its
 *     route says otherwise
 * @param accessLog whether there is one
 */
public record HttpOptions(ConfigSource ads, Duration streamIdleTimeout, AccessLog accessLog) {
  private static final Duration STREAM_IDLE_TIMEOUT = Duration.ofMinutes(5);

  /** Where requests are noted. */
  public enum AccessLog {
    NONE,
    STDOUT
  }

  public static HttpOptions defaults(ConfigSource ads) {
    return new HttpOptions(ads, STREAM_IDLE_TIMEOUT, AccessLog.NONE);
  }
}
