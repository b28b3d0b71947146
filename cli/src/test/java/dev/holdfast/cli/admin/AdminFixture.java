// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import dev.holdfast.cli.CapturedOutput;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.server.admin.AdminServer;
import dev.holdfast.server.admin.History;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real admin port in front of a control plane that is not one, and commands that ask it. */
final class AdminFixture implements AutoCloseable {
  final CapturedOutput captured = new CapturedOutput();
  final List<History.Entry> past = new CopyOnWriteArrayList<>();
  final AdminServer server;

  AdminFixture() {
    this(new FixedReports(new CapturedOutput().time().now()));
  }

  AdminFixture(Reports reports) {
    try {
      server =
          AdminServer.start(
              new ServeOptions.Admin(new ListenAddress("127.0.0.1", 0), ""),
              reports,
              this::read,
              "1.2.3");
    } catch (StartException e) {
      throw new AssertionError(e);
    }
  }

  /** As the store does: newest first. */
  private List<History.Entry> read(History.Query query) {
    List<History.Entry> found = new ArrayList<>();
    for (int i = past.size() - 1; i >= 0 && found.size() < query.limit(); i--) {
      History.Entry entry = past.get(i);
      if (entry.id() < query.before()
          && (query.object() == null || query.object().equals(entry.object()))) {
        found.add(entry);
      }
    }
    return found;
  }

  String url() {
    return "http://" + server.address();
  }

  int run(String... arguments) {
    return run(Map.of(), arguments);
  }

  int run(Map<String, String> environment, String... arguments) {
    return captured.run(environment, with(arguments));
  }

  String[] with(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--server", url()));
    return all.toArray(String[]::new);
  }

  @Override
  public void close() {
    server.close();
  }
}
