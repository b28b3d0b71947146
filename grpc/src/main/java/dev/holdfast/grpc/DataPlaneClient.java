// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc;

import dev.holdfast.grpc.load.LoadReports;
import dev.holdfast.xds.client.XdsClient;

/** A client that also reports the loads of the clusters that it finds, to whoever wants them. */
public interface DataPlaneClient extends XdsClient {

  /** Where calls are counted; as good as {@link LoadReports#NONE} once the client is closed. */
  LoadReports loadReports();
}
