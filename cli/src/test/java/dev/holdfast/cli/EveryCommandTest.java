// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What every command owes its users. */
class EveryCommandTest {
  /** Those that ask a server, each called well. */
  private static final Map<String, String> ASKING =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("apply", "apply pom.xml"),
              Map.entry("confirm", "confirm"),
              Map.entry("describe", "describe HTTPProxy/shop/web"),
              Map.entry("diff", "diff HTTPProxy/shop/web"),
              Map.entry("explain", "explain Cluster/shop/web/80"),
              Map.entry("get deletions", "get deletions"),
              Map.entry("get holds", "get holds"),
              Map.entry("get problems", "get problems"),
              Map.entry("get incidents", "get incidents"),
              Map.entry("get objects", "get objects"),
              Map.entry("get proxies", "get proxies"),
              Map.entry("get resources", "get resources"),
              Map.entry("history", "history"),
              Map.entry("kubernetes status", "kubernetes status"),
              Map.entry("retry", "retry HTTPProxy/shop/web"),
              Map.entry("wait", "wait HTTPProxy/shop/web")));

  /** Those that ask none, or another kind of server. */
  private static final List<String> ALONE =
      List.of(
          "bootstrap envoy",
          "bootstrap grpc",
          "certs",
          "check",
          "compare",
          "completion",
          "demo",
          "serve",
          "state backup",
          "state restore",
          "validate",
          "xds status",
          "xds watch");

  private final CapturedOutput captured = new CapturedOutput();

  static Stream<String> all() {
    List<String> names = new ArrayList<>(List.of(""));
    collect("", Main.commands(shell(Map.of())), names);
    return names.stream();
  }

  static Stream<String> asking() {
    return ASKING.values().stream();
  }

  private static void collect(String prefix, CommandLine command, List<String> names) {
    command
        .getSubcommands()
        .forEach(
            (name, inner) -> {
              names.add(prefix + name);
              collect(prefix + name + " ", inner, names);
            });
  }

  private static Shell shell(Map<String, String> environment) {
    PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), false, UTF_8);
    return new Shell(
        InputStream.nullInputStream(),
        nowhere,
        nowhere,
        environment,
        new ManualTime(),
        Shell.Terminal.none());
  }

  private static String[] words(String line, String... more) {
    List<String> words = new ArrayList<>(List.of(line.isEmpty() ? new String[0] : line.split(" ")));
    words.addAll(List.of(more));
    return words.toArray(String[]::new);
  }

  @Test
  void noCommandIsForgottenHere() {
    assertThat(all().filter(name -> !isGroup(name)))
        .isSubsetOf(Stream.concat(ASKING.keySet().stream(), ALONE.stream()).toList());
  }

  private static boolean isGroup(String name) {
    return name.isEmpty() || all().anyMatch(other -> other.startsWith(name + " "));
  }

  @ParameterizedTest
  @MethodSource("all")
  void helpHasExamplesAndFitsAndIsPlainInAPipe(String command) {
    int exitCode = captured.run(Map.of("COLUMNS", "40"), words(command, "--help"));

    assertThat(exitCode).isZero();
    assertThat(captured.err()).isEmpty();
    assertThat(captured.lines()).contains("Examples:");
    assertThat(captured.lines()).anyMatch(line -> line.startsWith("  holdfast " + command));
    assertThat(captured.out()).doesNotContain("\u001b");
    assertThat(captured.lines())
        .filteredOn(line -> !line.startsWith("Usage: "))
        .allMatch(line -> line.length() <= 56); // the narrowest that picocli can do
  }

  @ParameterizedTest
  @MethodSource("all")
  void exitCodesAreToldInTheHelpOfWhatCanBeRun(String command) {
    captured.run(words(command, "--help"));

    assertThat(captured.out().contains("Exit codes: 0 ")).isEqualTo(!isGroup(command));
  }

  @ParameterizedTest
  @MethodSource("all")
  void anOptionThatDoesNotExistCostsOneLine(String command) {
    int exitCode = captured.run(words(command, "--no-such-option"));

    assertThat(exitCode).isEqualTo(2);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err())
        .matches("holdfast: [^\\n]+ \\(see 'holdfast[a-z ]* --help'\\)\\n")
        .doesNotContain("\u001b");
  }

  @ParameterizedTest
  @MethodSource("asking")
  void aServerThatIsNotThereCostsOneLine(String line) {
    int exitCode = captured.run(words(line, "--server", "http://127.0.0.1:1"));

    assertThat(captured.err())
        .isEqualTo(
            "holdfast: http://127.0.0.1:1 cannot be reached: Connection refused (is 'holdfast"
                + " serve' running there? check --server)\n");
    assertThat(captured.out()).isEmpty();
    assertThat(exitCode).isEqualTo(1);
  }

  @ParameterizedTest
  @MethodSource("asking")
  void whatEveryCommandThatAsksHasInCommon(String line) {
    assertThat(captured.run(words(line, "--server", "localhost"))).isEqualTo(2);
    assertThat(captured.err())
        .contains("--server: 'localhost' (expected: http://HOST:PORT, https://HOST:PORT, or");
    assertThat(captured.run(words(line, "-o", "xml"))).isEqualTo(2);
    assertThat(captured.err()).contains("expected one of [table, json, yaml]");
    assertThat(captured.run(words(line, "--token-file", "/no/such/file"))).isEqualTo(1);
    assertThat(captured.err()).contains("--token-file: /no/such/file: no such file");
  }
}
