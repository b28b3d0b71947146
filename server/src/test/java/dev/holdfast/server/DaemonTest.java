// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.testkit.ReservedPorts;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon's start and end. */
class DaemonTest {
  private final FakeControlPlane inside = new FakeControlPlane();
  private final CountDownLatch stop = new CountDownLatch(1);

  @TempDir Path directory;

  @Test
  void itSaysWhereEverythingIs() throws Exception {
    try (Daemon daemon = start(options(0, 0))) {
      assertThat(daemon.describe())
          .matches(
              "5 objects from "
                  + directory
                  + ", xDS on 127\\.0\\.0\\.1:[1-9][0-9]+, admin on"
                  + " http://127\\.0\\.0\\.1:[1-9][0-9]+, state in memory");
    }
    assertThat(inside.closed).isTrue();
  }

  @Test
  void aBusyPortIsToldWithItsFlag() throws Exception {
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = busy.getLocalPort();

      assertThatThrownBy(() -> start(options(port, 0)))
          .isInstanceOf(StartException.class)
          .hasMessage(
              "xDS: cannot listen on 127.0.0.1:"
                  + port
                  + ": the port is in use (--xds-address sets another)");
      assertThat(inside.closed).isTrue();

      assertThatThrownBy(() -> start(options(0, port)))
          .isInstanceOf(StartException.class)
          .hasMessage(
              "admin: cannot listen on 127.0.0.1:"
                  + port
                  + ": the port is in use (--admin-address sets another)");
    }
  }

  @Test
  void aDirectoryThatIsNoneIsTold() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> start(options(directory.resolve("none"), 0, 0)))
        .hasMessage(directory.resolve("none") + ": there is no such directory");
    assertThatThrownBy(() -> start(options(file, 0, 0)))
        .hasMessage(file + ": is no directory (expected: a directory)");
  }

  @Test
  void proxiesCannotConnectBeforeAllObjectsAreRead() throws Exception {
    int xdsPort = ReservedPorts.next();
    int adminPort = ReservedPorts.next();
    inside.reports.ready = false;
    CompletableFuture<Daemon> starting =
        CompletableFuture.supplyAsync(() -> uncheckedStart(options(xdsPort, adminPort)));

    while (status("http://127.0.0.1:" + adminPort + "/readyz") != 503) {
      Thread.onSpinWait();
    }
    try (ServerSocket stillFree = new ServerSocket(xdsPort, 1, InetAddress.getLoopbackAddress())) {
      assertThat(stillFree.isBound()).isTrue();
    }
    inside.reports.ready = true;

    try (Daemon daemon = starting.get(60, TimeUnit.SECONDS)) {
      assertThat(daemon.xds().address().port()).isEqualTo(xdsPort);
    }
  }

  @Test
  void itCanBeStoppedBeforeItIsReady() {
    inside.reports.ready = false;
    stop.countDown();

    assertThatThrownBy(() -> start(options(0, 0))).isInstanceOf(InterruptedException.class);
    assertThat(inside.closed).isTrue();
  }

  private Daemon start(ServeOptions options) throws StartException, InterruptedException {
    return Daemon.start(options, unused -> inside, "1.2.3", stop);
  }

  private Daemon uncheckedStart(ServeOptions options) {
    try {
      return start(options);
    } catch (StartException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private ServeOptions options(int xdsPort, int adminPort) {
    return options(directory, xdsPort, adminPort);
  }

  private static ServeOptions options(Path served, int xdsPort, int adminPort) {
    return new ServeOptions(
        served,
        Path.of("unused"),
        new ListenAddress("127.0.0.1", xdsPort),
        new ServeOptions.Admin(new ListenAddress("127.0.0.1", adminPort), ""),
        new ServeOptions.Listeners(
            ServeOptions.DEFAULT_HTTP, ServeOptions.DEFAULT_HTTPS, "holdfast"));
  }

  private static int status(String url) throws InterruptedException {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(URI.create(url)).build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (java.io.IOException e) {
      return 0;
    }
  }
}
