// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import java.time.Duration;

/**
 * Settings that all listeners share.
 *
 * @param ads the source of routes, certificates and filters
 * @param streamIdleTimeout after how long an inactive request is aborted, unless its route sets
 *     another timeout
 * @param accessLog whether there is an access log
 * @param edge how requests are treated
 */
public record HttpOptions(
    ConfigSource ads, Duration streamIdleTimeout, AccessLog accessLog, EdgeOptions edge) {
  /** The destination of the access log. */
  public enum AccessLog {
    NONE,
    STDOUT
  }
}
