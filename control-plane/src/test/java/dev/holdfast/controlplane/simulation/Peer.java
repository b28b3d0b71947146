// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

/** Somebody whom the control plane serves. */
sealed interface Peer permits Member, App {
  String id();

  /** Counts its processes. */
  int process();
}
