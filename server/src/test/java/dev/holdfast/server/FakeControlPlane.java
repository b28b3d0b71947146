// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.server.admin.History;
import io.grpc.BindableService;
import java.util.List;

/** An inside that does nothing but report what a test wants. */
final class FakeControlPlane implements RunningControlPlane {
  final FakeReports reports = new FakeReports();
  volatile boolean closed;

  @Override
  public FakeReports reports() {
    return reports;
  }

  @Override
  public History history() {
    return query -> List.of();
  }

  @Override
  public List<BindableService> services() {
    return List.of();
  }

  @Override
  public String state() {
    return "memory";
  }

  @Override
  public void close() {
    closed = true;
  }
}
