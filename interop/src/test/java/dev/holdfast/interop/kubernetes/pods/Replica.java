// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.pods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.interop.LineProcess;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.testkit.ReservedPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A control plane in a process of its own, which reads the cluster of a {@link KubePlane}. */
final class Replica implements AutoCloseable {
  private final int adminPort = ReservedPorts.next();
  private final LineProcess process;

  Replica(Path directory, KubePlane plane, String state, int xdsPort) throws IOException {
    process =
        new LineProcess(
            directory,
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "serve",
                "--kubernetes",
                "--kubeconfig",
                plane.cluster().kubeconfig(plane.cluster().adminToken()).toString(),
                "--state",
                state,
                "--xds-address",
                "127.0.0.1:" + xdsPort,
                "--admin-address",
                "127.0.0.1:" + adminPort,
                "--http-address",
                "127.0.0.1:0",
                "--https-address",
                "0.0.0.0:0"));
  }

  void awaitLeading() throws InterruptedException {
    process.await("to lead", line -> line.startsWith("holdfast ready"));
  }

  void awaitStandby() {
    Plane.await("standby", () -> get("/readyz").equals("503 standing by"));
    assertThat(get("/healthz")).isEqualTo("200 ok");
  }

  /** Until it has done all that a standby can do. */
  void awaitWarm() {
    Plane.await("a warm standby", () -> body("/readyz").contains("are read and translated"));
  }

  /** The memory that it occupies, in MiB. */
  long residentMib() {
    try (var lines = Files.lines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
      return lines
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .sum()
          / 1024;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void signal(String name) throws IOException, InterruptedException {
    process.signal(name);
  }

  int exitCode() throws InterruptedException {
    return process.exitCode();
  }

  /** The status and the first words. */
  private String get(String path) {
    return body(path).strip().replaceFirst(":.*", "");
  }

  /** The status and the text; empty if there is no answer. */
  private String body(String path) {
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + path))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (Exception e) {
      return "";
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
