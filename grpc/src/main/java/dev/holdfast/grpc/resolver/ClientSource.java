// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.load.LoadReports;
import dev.holdfast.grpc.security.ClusterSecurity;
import dev.holdfast.xds.client.XdsClient;
import io.grpc.MetricRecorder;
import org.jspecify.annotations.Nullable;

/** Where resolvers have their clients from. */
interface ClientSource {

  /** The client of a target. Throws what is wrong with a bootstrap. */
  Lease lease(String target, XdsOptions options);

  /**
   * The same for a channel that has metrics. Channels that share a client share its metrics, too:
   * they go to the first of them.
   *
   * @param recorder null for none
   */
  default Lease lease(String target, XdsOptions options, @Nullable MetricRecorder recorder) {
    return lease(target, options);
  }

  /** A client and what goes with it, until it is closed. */
  interface Lease extends AutoCloseable {
    XdsClient client();

    /** Where calls are counted whose numbers a server wants to know. */
    default LoadReports loads() {
      return LoadReports.NONE;
    }

    XdsTypes types();

    XdsBootstrap bootstrap();

    /** What secures the connections to endpoints. */
    ClusterSecurity security();

    /** Gives the client back. Idempotent. */
    @Override
    void close();
  }
}
