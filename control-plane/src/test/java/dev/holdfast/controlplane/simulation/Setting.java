// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

/**
 * What may happen in a simulation.
 *
 * @param withApps whether applications with our own client take part
 * @param careless whether authors make mistakes that no proxy is needed for to find
 * @param deadly whether authors write what proxies die of
 * @param lying whether one proxy of each class lies; then the others are three at least
 */
record Setting(boolean withApps, boolean careless, boolean deadly, boolean lying) {
  Setting(boolean withApps, boolean careless, boolean deadly) {
    this(withApps, careless, deadly, /* lying= */ false);
  }

  @Override
  public String toString() {
    return (withApps ? " with applications" : "")
        + (careless ? "" : " and careful authors")
        + (deadly ? " and deadly policies" : "")
        + (lying ? " and liars" : "");
  }
}
