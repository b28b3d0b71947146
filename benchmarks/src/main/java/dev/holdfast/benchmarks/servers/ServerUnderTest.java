// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import io.grpc.ServerServiceDefinition;
import java.util.List;

/** A server's inside: clusters that are served to all who ask. */
interface ServerUnderTest extends AutoCloseable {
  List<ServerServiceDefinition> services();

  /** Begins to listen. */
  default Port listen() {
    return Port.plain(services());
  }

  /** Changes one cluster; which, and into what, depends on the number of the change only. */
  void change(int number);

  @Override
  void close();

  /** One whose clusters can be made bad. */
  interface Spoilable extends ServerUnderTest {
    /** Changes the first cluster into one that has {@link Clusters#BAD} in it. */
    void spoil();
  }
}
