// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ledger;

/**
 * Is passed each time the control plane is about to decide something. Tests throw from it, to prove
 * that an error at any of these points stops nothing else.
 */
@FunctionalInterface
public interface DecisionProbe {
  /** Does nothing. */
  DecisionProbe NONE = point -> {};

  /** Where decisions are made. */
  enum Point {
    /** A rollout takes the change of one object. */
    INTAKE,
    /** Objects are translated for a trial. */
    TRANSLATION,
    /** Changes are validated before a trial. */
    TRIAL_CHECK,
    /** A rollout decides what to do next. */
    DECISION,
    /** A rollout carries out a decision. */
    ACTION,
    /** A rollout looks for the object that a proxy refused. */
    ATTRIBUTION,
    /** A stream takes an answer that rejects a response. */
    NACK,
    /** A stream plans its next response. */
    RESPONSE,
    /** The status of one object is evaluated. */
    STATUS,
    /** State is written. */
    JOURNAL
  }

  void at(Point point);
}
