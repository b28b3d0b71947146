// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.envoy.Http;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/**
 * examples/shop on a server in a process of its own, with backends and real Envoys, for those who
 * get into trouble with it and read docs/troubleshooting.md. Envoys listen on any free port.
 */
final class TroubledShop implements AutoCloseable {
  static final String HOST = "shop.example.com";
  static final String STOREFRONT = "storefront.yaml";

  /** Long enough for any machine, and for a listener that is tried again once a minute. */
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  /** Two listeners on port 0 of one address are one to Envoy, which shares their socket. */
  private static final String ANY_PORTS = "--http-address 127.0.0.1:0 --https-address 0.0.0.0:0 ";

  private static final Path ROOT = TestSources.repositoryRoot();
  private static final List<Section> SECTIONS = sections();

  private final Ports ports = new Ports();
  private final Backend backend = Backend.start("shop");
  private final Scratch scratch;
  private final Map<String, String> files = new TreeMap<>();
  private final Map<String, EnvoyProcess> envoys = new LinkedHashMap<>();
  private final Map<String, String> environment;
  private final Terminal shell;
  private Terminal server;

  /**
   * @param place an empty directory
   * @param environment of the server, besides what it has
   */
  TroubledShop(Path place, Map<String, String> environment) throws Exception {
    scratch = Scratch.make(place, ROOT, ports, Optional.empty());
    String ours =
        Stream.of(9001, 9002, 9003, 9004)
            .map(port -> Integer.toString(ports.inPlaceOf(port)))
            .collect(Collectors.joining("|"));
    try (Stream<Path> all = Files.list(objects())) {
      for (Path file : all.toList()) {
        String text =
            Files.readString(file).replaceAll("port: (" + ours + ")\\b", "port: " + backend.port());
        Files.writeString(file, text);
        files.put(file.getFileName().toString(), text);
      }
    }
    shell = new Terminal(scratch, Map.of());
    this.environment = environment;
    server = new Terminal(scratch, environment);
  }

  /** One whose server runs. */
  static TroubledShop open(Path place) throws Exception {
    TroubledShop shop = new TroubledShop(place, Map.of());
    shop.serve();
    return shop;
  }

  static List<Section> sections() {
    try {
      return Section.of(Files.readString(ROOT.resolve("docs/troubleshooting.md")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Someone who reads a section. */
  Reader reads(String heading) {
    return new Reader(section(heading));
  }

  static Section section(String heading) {
    return SECTIONS.stream()
        .filter(section -> section.heading().equals(heading))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no section: " + heading));
  }

  /** Starts the server, with these options besides. */
  void serve(String... options) throws Exception {
    Terminal.Went went =
        server.runUntil(
            new Block.Step(
                1,
                "echo $BASHPID > server.pid; exec ./holdfast serve examples/shop --extension-code lua "
                    + (List.of(options).contains("--http-address") ? "" : ANY_PORTS)
                    + String.join(" ", options),
                List.of()),
            ports,
            "holdfast ready");
    assertThat(went.exitCode()).as(went.toString()).isNull();
  }

  /** Ends the server. */
  void stop() throws Exception {
    server.close();
    server = new Terminal(scratch, environment);
  }

  /** All that the server has logged since it was started last. */
  String serverLog() throws IOException {
    return server.printed();
  }

  long serverPid() throws IOException {
    return Long.parseLong(Files.readString(scratch.directory().resolve("server.pid")).strip());
  }

  /** The port that is used in place of one that the page shows. */
  int port(int shown) {
    return ports.inPlaceOf(shown);
  }

  Path directory() {
    return scratch.directory();
  }

  Path objects() {
    return scratch.directory().resolve("examples/shop");
  }

  Backend backend() {
    return backend;
  }

  /** A bootstrap for an Envoy of this shop. */
  EnvoyBootstrap bootstrap(String node) {
    return EnvoyBootstrap.delta(ports.inPlaceOf(Ports.XDS)).node(node);
  }

  /** Another Envoy. */
  EnvoyProcess join(String node) {
    return join(bootstrap(node));
  }

  EnvoyProcess join(EnvoyBootstrap bootstrap) {
    EnvoyProcess envoy = EnvoyProcess.start(bootstrap);
    envoys.put(bootstrap.nodeId(), envoy);
    return envoy;
  }

  /** Ends an Envoy. */
  void leave(String node) {
    EnvoyProcess envoy = envoys.remove(node);
    if (envoy != null) {
      envoy.close();
    }
  }

  EnvoyProcess envoy() {
    return envoys.values().iterator().next();
  }

  /** Puts a file of objects in place at once. */
  void write(String name, String text) {
    try {
      Path next = scratch.directory().resolve("next");
      Files.writeString(next, text);
      Files.move(
          next,
          objects().resolve(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file of the example as it came. */
  String original(String name) {
    String text = files.get(name);
    assertThat(text).as(name).isNotNull();
    return String.valueOf(text);
  }

  /** Edits a file of the example. */
  void edit(String name, String from, String to) {
    assertThat(original(name)).contains(from);
    write(name, original(name).replace(from, to));
  }

  void delete(String name) {
    try {
      Files.delete(objects().resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Brings the directory back to what it was; all is well again. */
  void mend() throws Exception {
    try (Stream<Path> all = Files.list(objects())) {
      for (Path file : all.toList()) {
        if (!files.containsKey(file.getFileName().toString())) {
          Files.delete(file);
        }
      }
    }
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = objects().resolve(file.getKey());
      if (!Files.exists(path) || !Files.readString(path).equals(file.getValue())) {
        write(file.getKey(), file.getValue());
      }
    }
    if (!envoys.isEmpty()) {
      answers(HOST, "/", 200);
    }
  }

  /** What a client of the first Envoy gets. */
  Http.Response ask(String host, String path) {
    return envoy().http("ingress_http").get(path).host(host).send();
  }

  /** Waits until a client of the first Envoy gets this; the result is the body. */
  String answers(String host, String path, int status) {
    return eventually(
        host + path,
        () -> {
          Http.Response response = ask(host, path);
          assertThat(response.status()).isEqualTo(status);
          return response.body();
        });
  }

  /** Waits until this no longer fails. */
  static <T> T eventually(String what, Supplier<T> attempt) {
    AtomicReference<T> result = new AtomicReference<>();
    await(what)
        .dontCatchUncaughtExceptions()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(100))
        .pollInSameThread()
        .ignoreException(UncheckedIOException.class)
        .untilAsserted(() -> result.set(attempt.get()));
    return requireNonNull(result.get());
  }

  @Override
  public void close() {
    envoys.values().forEach(EnvoyProcess::close);
    shell.close();
    server.close();
    backend.close();
    try (Stream<Path> all = Files.walk(scratch.directory(), 4)) {
      for (Path link : all.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link); // JUnit warns of each that leads out of its directory
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Someone who has a symptom, and a section that is about it. */
  final class Reader {
    private final Section section;
    private final Set<String> run = new TreeSet<>();

    private Reader(Section section) {
      this.section = section;
    }

    /** The section has these words, which the caller is about to find true. */
    Reader reads(String words) {
      section.says(words);
      return this;
    }

    /**
     * Runs a command that the section tells the reader to run, until it shows all of this, with any
     * space between words. The result is all that it shows, in one line.
     */
    String sees(String command, String... texts) {
      section.tells(command);
      run.add(command);
      String[] last = {""};
      try {
        await()
            .dontCatchUncaughtExceptions()
            .atMost(PATIENCE)
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(300))
            .pollInSameThread()
            .until(
                () -> {
                  last[0] = output(command);
                  return Stream.of(texts).allMatch(last[0]::contains);
                });
      } catch (ConditionTimeoutException e) {
        assertThat(last[0]).as("%s: %s", section.heading(), command).contains(texts);
      }
      return last[0];
    }

    /** The command ends with this code. */
    void exits(String command, int code) throws Exception {
      section.tells(command);
      assertThat(shell.tryOut(new Block.Step(1, command, List.of()), ports).exitCode())
          .as(command)
          .isEqualTo(code);
    }

    /** The same for a command that runs until it is stopped. */
    void watches(String command, String text) throws Exception {
      section.tells(command);
      run.add(command);
      try (Terminal other = new Terminal(scratch, Map.of())) {
        Terminal.Went went = other.runUntil(new Block.Step(1, command, List.of()), ports, text);
        assertThat(went.exitCode()).as(went.toString()).isNull();
      }
    }

    /** All commands of the section were run. */
    void isDone() {
      assertThat(run).as("%s: commands", section.heading()).containsAll(section.commands());
    }
  }

  /** What a command prints, in one line. */
  String output(String command) throws Exception {
    return String.join(" ", shell.tryOut(new Block.Step(1, command, List.of()), ports).output())
        .replaceAll("\\s+", " ");
  }
}
