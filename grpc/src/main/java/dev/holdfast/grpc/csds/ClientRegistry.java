// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.csds;

import dev.holdfast.xds.client.XdsClient;
import io.envoyproxy.envoy.config.core.v3.Node;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The clients that are to be seen, in the order in which they were added. Thread-safe. */
public final class ClientRegistry {
  private final CopyOnWriteArrayList<Entry> entries = new CopyOnWriteArrayList<>();

  /**
   * Shows a client until the returned registration is closed.
   *
   * @param scope on whose behalf the client watches: a channel's target, {@code #server} for
   *     servers (gRFC A71)
   * @param node who the client says it is
   */
  public Registration add(String scope, Node node, XdsClient client) {
    Entry entry = new Entry(scope, node, client);
    entries.add(entry);
    return () -> entries.remove(entry);
  }

  List<Entry> entries() {
    return List.copyOf(entries);
  }

  boolean has(Entry entry) {
    return entries.contains(entry);
  }

  /** A client that is shown. */
  public interface Registration extends AutoCloseable {
    /** Shows the client no longer. Idempotent. */
    @Override
    void close();
  }

  /** Equal by identity, since the same client may be added twice. */
  static final class Entry {
    final String scope;
    final Node node;
    final XdsClient client;

    private Entry(String scope, Node node, XdsClient client) {
      this.scope = scope;
      this.node = node;
      this.client = client;
    }
  }
}
