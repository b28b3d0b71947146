// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import java.nio.file.Path;
import java.util.Map;

/** Where the scripts in {@code interop/bin} keep what they fetch. */
final class UserCache {
  private UserCache() {}

  static Path directory() {
    Map<String, String> environment = System.getenv();
    String own = environment.getOrDefault("HOLDFAST_CACHE", "");
    if (!own.isEmpty()) {
      return Path.of(own);
    }
    String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
    return caches.isEmpty()
        ? Path.of(System.getProperty("user.home"), ".cache", "holdfast")
        : Path.of(caches, "holdfast");
  }
}
