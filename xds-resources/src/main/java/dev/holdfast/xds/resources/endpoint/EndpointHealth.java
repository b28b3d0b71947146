// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.endpoint;

/** What the control plane says of endpoints that may be used. */
public enum EndpointHealth {
  /** Nothing. */
  UNKNOWN,
  /** It can be used. */
  HEALTHY,
  /** Only calls of sessions that are there already may go to it (gRFC A55). */
  DRAINING
}
