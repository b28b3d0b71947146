// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import java.util.List;

/** What {@code HOLDFAST_REQUIRE} says that must not be missing on this machine. */
final class Requirements {
  private Requirements() {}

  static boolean require(String what) {
    return List.of(System.getenv().getOrDefault("HOLDFAST_REQUIRE", "").split(",")).contains(what);
  }
}
