// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

/** Whether a proxy held resources of a type when its stream began. */
enum ReconnectState {
  /** The proxy named no versions. */
  NEW,

  /** The control plane recognised all versions that the proxy named. */
  RECOGNISED,

  /** The proxy holds versions that this control plane did not serve. */
  UNKNOWN_VERSIONS
}
