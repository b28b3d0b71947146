// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

/** What becomes of a change that some classes of proxies accept and others refuse. */
public enum DisagreementPolicy {
  /** It is held for all. */
  UNIFORM,
  /** It is held for those that refuse it. */
  PER_CLASS
}
