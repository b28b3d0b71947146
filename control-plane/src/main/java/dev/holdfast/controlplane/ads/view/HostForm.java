// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

/** How a proxy gets the hosts without TLS; the same as long as a stream lives. */
public enum HostForm {
  /** All of them in one route table: RDS. */
  TABLE,
  /** Each of them as a resource of its own: VHDS. */
  EACH
}
