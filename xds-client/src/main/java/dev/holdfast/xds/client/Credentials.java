// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

import java.util.Map;

/**
 * How to authenticate to a server, as data: the transport gives it meaning. Two servers share a
 * connection only if this is equal too.
 *
 * @param type {@code insecure}, {@code tls}, {@code google_default}, ...
 * @param config the type's own settings, as parsed from JSON
 */
public record Credentials(String type, Map<String, ?> config) {
  public Credentials {
    config = Map.copyOf(config);
  }

  /** Plain text. */
  public static Credentials insecure() {
    return new Credentials("insecure", Map.of());
  }
}
