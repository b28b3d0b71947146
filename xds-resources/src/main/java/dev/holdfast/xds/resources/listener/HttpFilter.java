// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.listener;

/**
 * One filter that calls pass.
 *
 * @param name of this instance, unique in its listener
 * @param type of its configuration, which says what filter it is
 */
public record HttpFilter(String name, String type) {
  /** The filter that hands calls to their clusters; it is terminal: none comes after it. */
  public static final String ROUTER = "envoy.extensions.filters.http.router.v3.Router";
}
