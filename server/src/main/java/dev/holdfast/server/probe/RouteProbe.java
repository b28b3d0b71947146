// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import org.jspecify.annotations.Nullable;

/**
 * How a route can be shown to work.
 *
 * @param host its place in the list of virtual hosts
 * @param route its place in the list of routes of the host
 * @param expected what it is to do with a request
 * @param status of the answer that it is to give itself; 0 if it gives none
 * @param request null if it cannot be probed
 * @param reason why it cannot be probed, or which route takes its requests; empty if it can be
 */
public record RouteProbe(
    int host,
    int route,
    Expected expected,
    int status,
    @Nullable ProbeRequest request,
    String reason,
    boolean isShadowed) {

  /** What a route does with a request. */
  public enum Expected {
    /** Send it to a cluster. */
    FORWARD,
    /** Answer it. */
    ANSWER,
    /** Send its client elsewhere. */
    REDIRECT
  }

  /** The part of the resource, as provenance names it. */
  public String path() {
    return hostPath() + ".routes[" + route + "]";
  }

  /** The virtual host, as provenance names it. */
  public String hostPath() {
    return "virtual_hosts[" + host + "]";
  }
}
