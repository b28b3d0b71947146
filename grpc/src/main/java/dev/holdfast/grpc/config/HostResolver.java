// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import io.grpc.StatusOr;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;

/** Looks up hosts, for LOGICAL_DNS clusters (gRFC A37). */
public interface HostResolver {

  /**
   * Starts a lookup that goes on until it is closed.
   *
   * @param hostAndPort what to look up
   * @param listener hears of all addresses together, or why there are none, each time that this is
   *     known anew; from any thread
   */
  Lookup resolve(String hostAndPort, Consumer<StatusOr<List<InetSocketAddress>>> listener);

  /** A lookup that is under way. */
  interface Lookup extends AutoCloseable {
    /** Asks again, as an address did not work. */
    void refresh();

    /** Ends it; the listener hears nothing more. */
    @Override
    void close();
  }
}
