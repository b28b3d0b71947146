// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.kubernetes.access.AccessException;
import dev.holdfast.kubernetes.access.Kubeconfig;
import dev.holdfast.kubernetes.access.PodAccess;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.api.HttpApiServer;
import dev.holdfast.server.options.SourceOptions;
import dev.holdfast.server.options.StartException;

/** The API server of the cluster that is served. */
final class ClusterAccessOptions {
  private ClusterAccessOptions() {}

  static ApiServer apiServer(SourceOptions source) throws StartException {
    if (!(source instanceof SourceOptions.Cluster cluster)) {
      throw new StartException(
          "state: a state in a cluster with objects from "
              + source
              + " (expected: --kubernetes, or a file)");
    }
    try {
      return new HttpApiServer(
          cluster.kubeconfig().isEmpty()
              ? PodAccess.of(System.getenv())
              : Kubeconfig.read(cluster.kubeconfig(), cluster.context()));
    } catch (AccessException e) {
      throw new StartException(String.valueOf(e.getMessage()), e);
    }
  }
}
