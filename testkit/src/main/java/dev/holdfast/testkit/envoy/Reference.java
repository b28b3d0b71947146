// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import java.time.Duration;

/**
 * That something is to be had by name.
 *
 * @param name the resource
 * @param timeout how long to wait for it; zero for ever
 * @param statPrefix where its counters are
 */
record Reference(String name, Duration timeout, String statPrefix) {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(15);

  static Reference of(String name, ConfigSource source, String statPrefix) {
    return new Reference(name, timeout(source), statPrefix);
  }

  static Duration timeout(ConfigSource source) {
    if (!source.hasInitialFetchTimeout()) {
      return DEFAULT_TIMEOUT;
    }
    var timeout = source.getInitialFetchTimeout();
    return Duration.ofSeconds(timeout.getSeconds(), timeout.getNanos());
  }
}
