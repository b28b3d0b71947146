// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import dev.holdfast.cli.waiting.LiveReports;
import dev.holdfast.cli.waiting.RunningCommand;
import dev.holdfast.server.admin.AdminServer;
import dev.holdfast.server.admin.ServerInfo;
import dev.holdfast.server.admin.SourceReport;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.testkit.SharedTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A server that serves a directory, and files that are to be put there. */
final class ApplyFixture implements AutoCloseable {
  final LiveReports reports = new LiveReports();
  final SharedTime time = new SharedTime();
  final Path served;
  final Path source;
  final AdminServer server;

  ApplyFixture(Path root) {
    try {
      served = Files.createDirectory(root.toRealPath().resolve("served"));
      source = Files.createDirectory(root.toRealPath().resolve("source"));
      server =
          AdminServer.start(
              new ServeOptions.Admin(new ListenAddress("127.0.0.1", 0), ""),
              reports,
              query -> List.of(),
              new ServerInfo("1.2.3", served, "", () -> null, () -> SourceReport.NONE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (StartException e) {
      throw new AssertionError(e);
    }
  }

  /** A host that sends everything to a service, and the service. */
  static String proxy(String name, String service) {
    return """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: %s}
        spec:
          virtualhost: {fqdn: %s.example.com}
          routes: [{services: [{name: %s, port: 80}]}]
        """
        .formatted(name, name, service);
  }

  static String service(String name) {
    return """
        apiVersion: v1
        kind: Service
        metadata: {name: %s}
        spec: {ports: [{port: 80}]}
        """
        .formatted(name);
  }

  void served(String file, String text) {
    write(served.resolve(file), text);
  }

  void source(String file, String text) {
    write(source.resolve(file), text);
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All that is served, by name of file. */
  Map<String, String> served() {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.list(served)) {
      for (Path path : paths.toList()) {
        files.put(String.valueOf(path.getFileName()), Files.readString(path));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  /** Applies the source directory. */
  RunningCommand apply(String... options) {
    return run(source.toString(), options);
  }

  RunningCommand run(String path, String... options) {
    return RunningCommand.start(time, arguments(path, options));
  }

  String[] arguments(String path, String... options) {
    List<String> all = new ArrayList<>(List.of("apply", path));
    all.addAll(List.of(options));
    all.addAll(List.of("--server", "http://" + server.address()));
    return all.toArray(String[]::new);
  }

  @Override
  public void close() {
    server.close();
  }
}
