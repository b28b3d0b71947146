// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import dev.holdfast.xds.resources.decode.Fractions;

/**
 * The share of calls that a fault happens to. A header of a call can make it smaller, in the same
 * parts.
 *
 * @param numerator how many parts
 * @param partsPerMillion what one part is
 */
public record FaultShare(long numerator, int partsPerMillion) {

  /** Parts per million; more than the whole counts as the whole. */
  public int perMillion() {
    return perMillion(numerator);
  }

  /** The same for a call that asks for another share; never more than this one (gRFC A33). */
  public int perMillion(long wanted) {
    long parts = Math.max(0, Math.min(wanted, numerator));
    return (int) Math.min(parts * partsPerMillion, Fractions.MILLION);
  }
}
