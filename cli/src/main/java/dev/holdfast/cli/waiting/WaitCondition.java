// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

/** What objects are waited for to become. The values are spelled as users write them. */
public enum WaitCondition {
  /** All proxies that an object concerns run it. */
  programmed,
  /**
   * The same, but for objects that concern no proxy: of a set that was written together, some may
   * be for later.
   */
  applied,
  /** The server has no such object. */
  removed
}
