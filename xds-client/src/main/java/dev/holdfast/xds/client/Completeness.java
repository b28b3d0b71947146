// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client;

/** What the absence of a subscribed resource from a state-of-the-world response means. */
public enum Completeness {
  /** Every response holds all subscribed resources: one that is missing was deleted (LDS, CDS). */
  FULL,
  /** Responses may hold any part: absence means nothing (RDS, EDS). */
  PARTIAL
}
