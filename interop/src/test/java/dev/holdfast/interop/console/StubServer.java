// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import dev.holdfast.server.admin.AdminServer;
import dev.holdfast.server.admin.History;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.testkit.ReservedPorts;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An admin port with nothing behind it but what a test says. */
final class StubServer implements AutoCloseable {
  final StubReports reports = new StubReports();

  /** Newest first. */
  final List<History.Entry> past = new CopyOnWriteArrayList<>();

  private final String token;
  private int port = ReservedPorts.next(); // to come back to
  private @Nullable AdminServer server;

  /**
   * @param token empty if none is needed
   */
  StubServer(String token) {
    this.token = token;
    up();
  }

  /** Starts it, always on the same port. */
  void up() {
    try {
      server =
          AdminServer.start(
              new ServeOptions.Admin(new ListenAddress("127.0.0.1", port), token),
              reports,
              this::read,
              "1.2.3");
      port = server.address().port();
    } catch (StartException e) {
      throw new AssertionError(e);
    }
  }

  private List<History.Entry> read(History.Query query) {
    return past.stream()
        .filter(entry -> entry.id() < query.before())
        .filter(entry -> query.object() == null || query.object().equals(entry.object()))
        .limit(query.limit())
        .toList();
  }

  void down() {
    if (server != null) {
      server.close();
      server = null;
    }
  }

  String console() {
    return "http://127.0.0.1:" + port + "/console/";
  }

  @Override
  public void close() {
    down();
  }
}
