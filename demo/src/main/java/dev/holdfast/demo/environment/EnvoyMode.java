// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.environment;

/** Whether an Envoy takes part. */
public enum EnvoyMode {
  NEVER,
  /** If there is one on this machine. */
  IF_FOUND,
  /** Even if it has to be fetched over the network. */
  FETCH
}
