// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.load;

import dev.holdfast.xds.client.ServerConfig;
import io.grpc.Attributes;

/** Where balancers count the calls whose numbers a server wants to know. Thread-safe. */
public interface LoadReports {
  /** How balancers are given it. */
  Attributes.Key<LoadReports> KEY = Attributes.Key.create("dev.holdfast.grpc.load-reports");

  /** Counts that nobody reports. */
  LoadReports NONE = (server, cluster, service) -> new ClusterLoad(cluster, service, 0);

  /**
   * The counts of a cluster, for as long as they are not {@linkplain ClusterLoad#release released}.
   * Everybody who asks for the same gets the same.
   *
   * @param service the name that its endpoints are asked for by, if it is another one; else empty
   */
  ClusterLoad lease(ServerConfig server, String cluster, String service);
}
