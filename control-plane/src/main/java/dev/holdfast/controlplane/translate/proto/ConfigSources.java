// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ApiVersion;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import java.time.Duration;

/** Where a proxy finds what a resource names. */
public final class ConfigSources {
  private ConfigSources() {}

  /**
   * On the stream on which the resource came.
   *
   * @param initialFetchTimeout how long a listener or cluster waits for what it names before it is
   *     used without
   */
  public static ConfigSource ads(Duration initialFetchTimeout) {
    return ConfigSource.newBuilder()
        .setResourceApiVersion(ApiVersion.V3)
        .setAds(AggregatedConfigSource.getDefaultInstance())
        .setInitialFetchTimeout(Times.exact(initialFetchTimeout))
        .build();
  }
}
