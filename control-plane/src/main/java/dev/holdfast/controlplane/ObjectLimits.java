// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import java.util.List;

/**
 * What authors, and the record of what happens to their objects, may use up. docs/serve.md
 * describes each limit under the same name.
 *
 * @param objects how many objects are served; one more waits for room
 * @param routesPerHost how many routes a host has; what goes beyond is a problem of its object
 * @param historyEntry how many characters an entry of the history has; the rest is cut
 */
public record ObjectLimits(int objects, int routesPerHost, int historyEntry) {
  /** What an object costs, with what is made of it. */
  private static final long BYTES_PER_OBJECT = 8 << 10;

  /** The names of the limits, as they are written in options. */
  public static final List<String> NAMES = List.of("objects", "routesPerHost", "historyEntry");

  /** The usual limits; how many objects there may be depends on the memory of this process. */
  public static ObjectLimits defaults() {
    return of(Runtime.getRuntime().maxMemory());
  }

  /** The usual limits for a process with so many bytes of memory. */
  static ObjectLimits of(long memory) {
    return new ObjectLimits(
        (int) Math.min(1_000_000, memory / BYTES_PER_OBJECT),
        /* routesPerHost= */ 10_000,
        /* historyEntry= */ 256 << 10);
  }

  /** The same with another value of one limit. */
  public ObjectLimits with(String name, int value) {
    return switch (name) {
      case "objects" -> new ObjectLimits(value, routesPerHost, historyEntry);
      case "routesPerHost" -> new ObjectLimits(objects, value, historyEntry);
      case "historyEntry" -> new ObjectLimits(objects, routesPerHost, value);
      default -> throw new IllegalArgumentException(name);
    };
  }
}
