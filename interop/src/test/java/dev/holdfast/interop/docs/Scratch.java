// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A directory that looks like a checkout to those who follow a page, where nothing they do harms
 * the real one: examples are copies, with ports that are free, and so are the ports of {@code
 * ./holdfast}.
 */
final class Scratch {
  private static final Set<String> OWN = Set.of("examples", "holdfast", "mvnw", ".git", "target");

  private final Path directory;
  private final Ports ports;

  private Scratch(Path directory, Ports ports) {
    this.directory = directory;
    this.ports = ports;
  }

  static Scratch make(Path directory, Path root, Ports ports, Optional<Path> envoy)
      throws IOException {
    Scratch scratch = new Scratch(directory, ports);
    Files.createDirectories(directory.resolve("home"));
    for (Path entry : list(root)) {
      Path name = entry.getFileName();
      if (!OWN.contains(name.toString())) {
        Files.createSymbolicLink(directory.resolve(name), entry);
      }
    }
    scratch.copyExamples(root.resolve("examples"));
    scratch.program("holdfast", HOLDFAST.replace("@root@", root.toString()));
    scratch.program("mvnw", MVNW.replace("@root@", root.toString()));
    Path bin = Files.createDirectory(directory.resolve(".bin"));
    Files.createSymbolicLink(bin.resolve("holdfast"), directory.resolve("holdfast"));
    if (envoy.isPresent()) {
      scratch.program(".bin/envoy", ENVOY.replace("@envoy@", envoy.get().toString()));
    }
    return scratch;
  }

  Path directory() {
    return directory;
  }

  Ports ports() {
    return ports;
  }

  /** What differs from the environment of this process. */
  Map<String, String> environment() {
    Map<String, String> environment = new TreeMap<>();
    String home = System.getenv().getOrDefault("HOME", "");
    environment.put("PATH", directory.resolve(".bin") + ":" + System.getenv("PATH"));
    environment.put("ENVOY", directory.resolve(".bin/envoy").toString()); // for get-envoy
    environment.put("HOME", directory.resolve("home").toString());
    environment.put(
        "HOLDFAST_CACHE",
        System.getenv().getOrDefault("HOLDFAST_CACHE", home + "/.cache/holdfast"));
    // Servers that live for seconds.
    environment.put("HOLDFAST_JAVA_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1");
    environment.put("HOLDFAST_SERVER", "http://127.0.0.1:" + ports.inPlaceOf(Ports.ADMIN));
    environment.put("DOCS_XDS", "127.0.0.1:" + ports.inPlaceOf(Ports.XDS));
    environment.put("DOCS_ADMIN", "127.0.0.1:" + ports.inPlaceOf(Ports.ADMIN));
    environment.put("DOCS_HTTP", "127.0.0.1:" + ports.inPlaceOf(Ports.HTTP));
    environment.put("DOCS_HTTPS", "127.0.0.1:" + ports.inPlaceOf(Ports.HTTPS));
    environment.put("DOCS_ENVOY_ADMIN", Integer.toString(ports.inPlaceOf(Ports.ENVOY_ADMIN)));
    return environment;
  }

  private void copyExamples(Path examples) throws IOException {
    try (Stream<Path> files = Files.walk(examples)) {
      for (Path file : files.toList()) {
        Path copy = directory.resolve("examples").resolve(examples.relativize(file));
        if (examples.relativize(file).toString().matches("[^/]+/target(/.*)?")) {
          if (file.getFileName().toString().equals("target")) {
            Files.createSymbolicLink(copy, file); // what the build made of an example
          }
        } else if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else if (file.toString().endsWith(".yaml")) {
          Files.writeString(copy, ports.put(Files.readString(file)));
        } else {
          Files.copy(file, copy);
        }
      }
    }
  }

  private void program(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, text);
    if (!file.toFile().setExecutable(true)) {
      throw new IOException(file + " cannot be made executable");
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  /** The real one, with free ports, and patience for a busy machine, instead of the defaults. */
  private static final String HOLDFAST =
      """
      #!/bin/sh
      case "${1:-} ${2:-}" in
        "serve "*)
          case " $* " in
            *" --xds-address "*) ;;
            *) set -- "$@" --xds-address "$DOCS_XDS" ;;
          esac
          case " $* " in
            *" --admin-address "*) ;;
            *) set -- "$@" --admin-address "$DOCS_ADMIN" ;;
          esac
          case " $* " in
            *" --http-address "*) ;;
            *) set -- "$@" --http-address "$DOCS_HTTP" --https-address "$DOCS_HTTPS" ;;
          esac
          ;;
        "bootstrap "*)
          case " $* " in
            *" --xds-address "* | *" --help "*) ;;
            *) set -- "$@" --xds-address "$DOCS_XDS" ;;
          esac
          case " $* " in
            *" grpc "* | *" --admin-port "* | *" --help "*) ;;
            *) set -- "$@" --admin-port "$DOCS_ENVOY_ADMIN" ;;
          esac
          ;;
        "xds status")
          case " $* " in
            *" --timeout "* | *" --help "*) ;;
            *) set -- "$@" --timeout 60 ;;
          esac
          ;;
      esac
      exec '@root@/holdfast' "$@"
      """;

  /** Two of them on one machine need different ids; readers have one. */
  private static final String ENVOY =
      """
      #!/bin/sh
      exec '@envoy@' --use-dynamic-base-id "$@"
      """;

  /** Builds nothing, since a build runs this; but what it is asked for must exist. */
  private static final String MVNW =
      """
      #!/bin/sh
      set -eu
      expect=
      for word in "$@"; do
        case $expect$word in
          -pl) expect=module: ;;
          module:*)
            expect=
            for module in $(echo "$word" | tr , ' '); do
              [ -f "$module/pom.xml" ] || { echo "mvnw: no module $module" >&2; exit 1; }
            done
            ;;
          -P*) grep -q "<id>${word#-P}</id>" pom.xml || { echo "mvnw: no profile ${word#-P}" >&2; exit 1; } ;;
        esac
      done
      """;
}
