// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.LineProcess;
import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.peer.JavaControlPlaneMain;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Control planes that others wrote. Each reads snapshots from its input, in the same words. */
enum ControlPlane {
  JAVA_CONTROL_PLANE {
    @Override
    LineProcess start(int port) throws IOException {
      return Processes.java(Map.of(), JavaControlPlaneMain.class, Integer.toString(port));
    }
  },

  /** Skipped where it was not built; {@code HOLDFAST_REQUIRE=go-control-plane} makes it fail. */
  GO_CONTROL_PLANE {
    @Override
    LineProcess start(int port) throws IOException, InterruptedException {
      Path script = TestSources.repositoryRoot().resolve("interop/bin/go-control-plane");
      Process find =
          new ProcessBuilder(script.toString(), "--find").redirectErrorStream(true).start();
      String said =
          new String(find.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      boolean found = find.waitFor() == 0;
      if (!found && Requirements.require("go-control-plane")) {
        throw new AssertionError(said + " (required by HOLDFAST_REQUIRE)");
      }
      assumeTrue(found, said);
      return new LineProcess(
          Path.of("").toAbsolutePath(), List.of(script.toString(), Integer.toString(port)));
    }
  };

  abstract LineProcess start(int port) throws IOException, InterruptedException;

  /** Where one that was started listens. */
  static int port(LineProcess server) throws InterruptedException {
    String line = server.await("the server's port", text -> text.startsWith("port "));
    return Integer.parseInt(line.substring("port ".length()));
  }

  /** Makes it serve calls to {@code svc}; {@code cluster} is {@code cluster} or {@code bad}. */
  static void set(LineProcess server, String version, String cluster, Backend backend)
      throws IOException, InterruptedException {
    String snapshot =
        "%s listener svc=r route r=c %s c endpoint c=%d"
            .formatted(version, cluster, backend.port());
    server.send(snapshot);
    server.await("the snapshot to be set", line -> line.equals("set " + snapshot));
  }
}
