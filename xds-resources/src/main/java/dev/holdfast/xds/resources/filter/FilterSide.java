// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

/** Where filters run: a filter that clients have is not one that servers have. */
public enum FilterSide {
  /** Where calls are made. */
  CLIENT,
  /** Where calls are served. */
  SERVER
}
