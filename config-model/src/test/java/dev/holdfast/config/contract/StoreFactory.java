// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.contract;

import dev.holdfast.config.StateStore;

/** Opens a store in another process; has a public constructor without parameters. */
public interface StoreFactory {
  /**
   * @param place where, in words of the factory's own
   */
  StateStore open(String place);
}
