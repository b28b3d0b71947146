// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

/** What happens to a change that some classes of proxies accept and others refuse. */
public enum DisagreementPolicy {
  /** It is held for all classes. */
  UNIFORM,
  /** It is held for the classes that refuse it. */
  PER_CLASS
}
