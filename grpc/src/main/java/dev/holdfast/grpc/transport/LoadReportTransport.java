// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.transport;

import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.XdsTransport;

/**
 * A connection to one server that can carry load reports (LRS), one stream at a time: requests are
 * {@code LoadStatsRequest}s, responses the bytes of {@code LoadStatsResponse}s. The rules are those
 * of {@link XdsTransport}.
 */
public interface LoadReportTransport extends AutoCloseable {

  /** Starts a stream. */
  XdsTransport.Stream open(XdsTransport.StreamListener listener);

  /** Lets go of the connection. Streams on it are the caller's to cancel before. */
  @Override
  void close();

  /** Where connections come from. */
  interface Factory {
    /** The connection to a server; throws what is wrong with its configuration. */
    LoadReportTransport create(ServerConfig server);
  }
}
