// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import java.util.List;

/**
 * What becomes of a request.
 *
 * @param status the HTTP status; 0 if there is no HTTP at all; 200 if an endpoint gets the request
 * @param flag Envoy's response flag: NR no route, NC no such cluster, UH no endpoint; "" if none
 * @param cluster the cluster that was chosen; empty if none was
 * @param endpoints who could get it
 * @param detail what else there is to say
 */
public record RequestOutcome(
    int status, String flag, String cluster, List<String> endpoints, String detail) {

  static RequestOutcome refused(String why) {
    return new RequestOutcome(0, "", "", List.of(), why);
  }

  static RequestOutcome noRoute() {
    return new RequestOutcome(404, "NR", "", List.of(), "");
  }

  static RequestOutcome local(int status, String detail) {
    return new RequestOutcome(status, "", "", List.of(), detail);
  }

  static RequestOutcome noCluster(String cluster) {
    return new RequestOutcome(503, "NC", cluster, List.of(), "");
  }

  static RequestOutcome served(String cluster, List<String> endpoints) {
    return endpoints.isEmpty()
        ? new RequestOutcome(503, "UH", cluster, endpoints, "")
        : new RequestOutcome(200, "", cluster, endpoints, "");
  }

  /** Whether an endpoint gets the request, or the proxy answers as it was configured to. */
  public boolean isServed() {
    return status != 0 && flag.isEmpty() && !detail.startsWith("missing");
  }
}
