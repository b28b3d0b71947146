// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A control plane that runs, its Envoy, and a client of that. */
final class RunningSide implements AutoCloseable {
  private static final Duration LONGEST_START = Duration.ofMinutes(3);
  private static final Duration LONGEST_EDIT = Duration.ofMinutes(3);

  /** Between two requests. */
  private static final long INTERVAL_NANOS = 500_000;

  private final Child plane;
  private final Child envoy;
  private final HostClient client;
  private final double readyMillis;

  /**
   * Starts the control plane, and a new Envoy as soon as the control plane listens: an Envoy that
   * had to try again would wait for as long as its dice say.
   *
   * @param lastHost ready is who answers for it, whom nobody has edited
   */
  RunningSide(ControlPlane side, Path directory, Cluster cluster, Path envoyProgram, int lastHost) {
    Path bootstrap = side.bootstrap(directory);
    long started = System.nanoTime();
    plane = side.start(directory, cluster, /* fast= */ false);
    client = new HostClient(side.httpPort());
    @Nullable Child proxy = null;
    try {
      Patience.await("xDS port", LONGEST_START, plane, () -> isOpen(side.xdsPort()));
      proxy = startEnvoy(side, directory, envoyProgram, bootstrap);
      envoy = proxy;
      readyMillis = (awaitEdit(lastHost, "0", LONGEST_START) - started) / 1e6;
    } catch (RuntimeException e) {
      plane.close();
      if (proxy != null) {
        proxy.close();
      }
      throw e;
    }
  }

  static Child startEnvoy(ControlPlane side, Path directory, Path program, Path bootstrap) {
    return Child.start(
        directory,
        side.name() + "-envoy",
        Map.of(),
        List.of(
            program.toString(),
            "-c",
            bootstrap.toString(),
            "--service-cluster",
            "edge",
            "--service-node",
            "edge-1",
            "--concurrency",
            "1",
            "--disable-hot-restart",
            "-l",
            "warn"));
  }

  static boolean isOpen(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** From the start of the control plane until the last host was answered. */
  double readyMillis() {
    return readyMillis;
  }

  Child plane() {
    return plane;
  }

  Child envoy() {
    return envoy;
  }

  /** Waits until a request is answered by this edit of a host; the result is when that was. */
  long awaitEdit(int host, String edit) {
    return awaitEdit(host, edit, LONGEST_EDIT);
  }

  private long awaitEdit(int host, String edit, Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    String fqdn = Objects.fqdn(host);
    while (!client.edit(fqdn).equals(edit)) {
      plane.requireAlive();
      if (System.nanoTime() - end > 0) {
        throw new IllegalStateException(
            "%s is not answered by edit %s within %d s: %s"
                .formatted(fqdn, edit, longest.toSeconds(), plane.logTail()));
      }
      Patience.pause(INTERVAL_NANOS);
    }
    return System.nanoTime();
  }

  /** The control plane first: what its Envoy does with the end is its own business. */
  @Override
  public void close() {
    plane.close();
    envoy.close();
    client.close();
  }
}
