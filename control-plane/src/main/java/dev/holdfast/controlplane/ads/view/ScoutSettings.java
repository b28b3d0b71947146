// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Where the clusters of scouts lead.
 *
 * @param sink answers HTTP/1.1 and HTTP/2 without TLS, in place of every backend; null if nothing
 *     does: then the clusters of scouts have no endpoints
 */
public record ScoutSettings(@Nullable InetSocketAddress sink) {
  /** Without a sink. */
  public static final ScoutSettings NO_SINK = new ScoutSettings(null);

  public ScoutSettings {
    if (sink != null && sink.isUnresolved()) {
      throw new IllegalArgumentException("sink: " + sink + " (expected: an IP address)");
    }
  }
}
