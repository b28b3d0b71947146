// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.controlplane.ledger.DecisionProbe;

/**
 * Bugs of the control plane: at each point where it decides, one in some hundred times it fails.
 */
final class Faults implements DecisionProbe {
  private static final int PER_TEN_THOUSAND = 60;

  private final Chance chance;
  private boolean quiet;
  private int thrown;

  Faults(long seed) {
    chance = new Chance(seed);
  }

  /** Whether what was thrown is one of these. */
  static boolean isOne(Throwable error) {
    return error instanceof Fault || error instanceof Overflow || error instanceof Exhaustion;
  }

  /** No bug shows until everything has come to rest. */
  void setQuiet(boolean now) {
    quiet = now;
  }

  int thrown() {
    return thrown;
  }

  @Override
  public void at(Point point) {
    if (quiet || chance.below(10_000) >= PER_TEN_THOUSAND) {
      return;
    }
    thrown++;
    switch (chance.below(3)) {
      case 0 -> throw new Fault(point);
      case 1 -> throw new Overflow(point);
      default -> throw new Exhaustion(point);
    }
  }

  private static final class Fault extends RuntimeException {
    private static final long serialVersionUID = 1;

    Fault(Point point) {
      super(point.name());
    }
  }

  private static final class Overflow extends StackOverflowError {
    private static final long serialVersionUID = 1;

    Overflow(Point point) {
      super(point.name());
    }
  }

  private static final class Exhaustion extends OutOfMemoryError {
    private static final long serialVersionUID = 1;

    Exhaustion(Point point) {
      super(point.name());
    }
  }
}
