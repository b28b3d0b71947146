// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import io.envoyproxy.envoy.config.core.v3.AggregatedConfigSource;
import io.envoyproxy.envoy.config.core.v3.ApiVersion;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import java.time.Duration;

/** Config sources: where a proxy gets the resources that another resource refers to. */
public final class ConfigSources {
  private ConfigSources() {}

  /**
   * The ADS stream that the referring resource came from.
   *
   * @param initialFetchTimeout how long a listener or cluster waits for the resources that it
   *     refers to before it is used without them
   */
  public static ConfigSource ads(Duration initialFetchTimeout) {
    return ConfigSource.newBuilder()
        .setResourceApiVersion(ApiVersion.V3)
        .setAds(AggregatedConfigSource.getDefaultInstance())
        .setInitialFetchTimeout(Times.exact(initialFetchTimeout))
        .build();
  }
}
