// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.decode;

import dev.holdfast.base.Problems;
import io.envoyproxy.envoy.type.v3.FractionalPercent;

/** Fractions with one of three denominators, brought to parts per million. */
public final class Fractions {
  /** The whole. */
  public static final int MILLION = 1_000_000;

  private Fractions() {}

  /**
   * Parts per million. More than the whole counts as the whole (gRFC A28); the numerator is
   * unsigned and is scaled without overflow.
   */
  public static int perMillion(FractionalPercent proto, Problems problems) {
    long numerator = Integer.toUnsignedLong(proto.getNumerator());
    switch (proto.getDenominator()) {
      case HUNDRED:
        return cap(numerator * 10_000);
      case TEN_THOUSAND:
        return cap(numerator * 100);
      case MILLION:
        return cap(numerator);
      default:
        problems
            .at("denominator")
            .invalid(proto.getDenominatorValue() + " (expected: HUNDRED, TEN_THOUSAND or MILLION)");
        return 0;
    }
  }

  private static int cap(long parts) {
    return (int) Math.min(parts, MILLION);
  }
}
