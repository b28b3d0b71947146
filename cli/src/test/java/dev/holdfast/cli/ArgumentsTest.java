// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was written badly costs exit code 2 and one line that says what would have been right. */
class ArgumentsTest {
  private final CapturedOutput captured = new CapturedOutput();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "|missing command (expected: one of demo, serve, apply, get, describe, explain, diff,"
            + " compare, history, wait, retry, confirm, kubernetes, validate, check, bootstrap, certs, state, xds, completion) (see 'holdfast"
            + " --help')",
        "fly|'fly': no such command (expected: one of demo, serve, apply, get, describe, explain,"
            + " diff, compare, history, wait, retry, confirm, kubernetes, validate, check, bootstrap, certs, state, xds, completion) (see 'holdfast"
            + " --help')",
        "validate fly.yaml|fly.yaml: no such file or directory (see 'holdfast validate"
            + " --help')",
        "get|missing command (expected: one of objects, problems, proxies, resources, holds, deletions,"
            + " incidents) (see 'holdfast get --help')",
        "get pods|'pods': no such command (expected: one of objects, problems, proxies, resources,"
            + " holds, deletions, incidents) (see 'holdfast get --help')",
        "get objects -o text|Invalid value for option '--output': expected one of [table, json,"
            + " yaml] (case-sensitive) but was 'text' (see 'holdfast get objects --help')",
        "get proxies --server localhost:1|--server: 'localhost:1' (expected: http://HOST:PORT, https://HOST:PORT, or"
            + " kubernetes:NAMESPACE/NAME) (see 'holdfast get proxies --help')",
        "describe|Missing required parameter: 'KIND/[NAMESPACE/]NAME' (see 'holdfast describe"
            + " --help')",
        "describe web|Invalid value for positional parameter at index 0 (KIND/[NAMESPACE/]NAME):"
            + " 'web' (expected: KIND/NAME or KIND/NAMESPACE/NAME) (see 'holdfast describe"
            + " --help')",
        "describe a/b/c -n d|--namespace: d (expected: the one in a/b/c, or none) (see 'holdfast"
            + " describe --help')",
        "bootstrap|missing command (expected: one of envoy, grpc) (see 'holdfast bootstrap"
            + " --help')",
        "xds|missing command (expected: one of watch, status) (see 'holdfast xds --help')",
        "xds fly|'fly': no such command (expected: one of watch, status) (see 'holdfast xds"
            + " --help')",
        "xds watch --fly|Unknown option: '--fly' (see 'holdfast xds watch --help')",
        "xds watch|no server given (expected: --server HOST:PORT, --bootstrap FILE, or a bootstrap"
            + " file named by GRPC_XDS_BOOTSTRAP) (see 'holdfast xds watch --help')",
        "xds watch --server a:1 --bootstrap f|--bootstrap and --server cannot be combined (see"
            + " 'holdfast xds watch --help')",
        "xds watch --server a|Invalid value for option '--server': 'a' (expected: HOST:PORT) (see"
            + " 'holdfast xds watch --help')",
        "xds watch --bootstrap f --node-id n|--node-id: only allowed with --server (set it in the"
            + " bootstrap file instead) (see 'holdfast xds watch --help')",
        "xds watch --server-feature fail_on_data_errors|--server-feature: only allowed with"
            + " --server (set it in the bootstrap file instead) (see 'holdfast xds watch --help')",
        "xds watch --server a:1 --server-feature fly|--server-feature: 'fly' (expected: one of"
            + " fail_on_data_errors, resource_timer_is_transient_error, ignore_resource_deletion,"
            + " trusted_xds_server) (see 'holdfast xds watch --help')",
        "xds watch --server a:1 --csds-port 65536|--csds-port: 65536 (expected: 0 to 65535) (see"
            + " 'holdfast xds watch --help')",
        "xds watch --server a:1 --csds-port x|Invalid value for option '--csds-port': 'x'"
            + " (expected: a whole number) (see 'holdfast xds watch --help')",
        "xds watch --server a:1 -o yaml|Invalid value for option '--output': expected one of [text,"
            + " json] (case-sensitive) but was 'yaml' (see 'holdfast xds watch --help')",
        "xds watch --server a:1 shop|'shop' (expected: TYPE/NAME with TYPE one of listener, route,"
            + " cluster, endpoint) (see 'holdfast xds watch --help')",
        "xds watch --server a:1 pod/shop|type 'pod' (expected: one of listener, route, cluster,"
            + " endpoint) (see 'holdfast xds watch --help')",
        "xds watch --server a:1 route/|the name of the route is missing (see 'holdfast xds watch"
            + " --help')",
        "xds status|Missing required parameter: 'HOST:PORT' (see 'holdfast xds status --help')",
        "xds status a:1 b:1|'b:1': unexpected argument (see 'holdfast xds status --help')",
        "xds status a:1 --timeout 0|--timeout: 0 (expected: more than 0, at most a day) (see"
            + " 'holdfast xds status --help')",
        "xds status a:1 -o text|Invalid value for option '--output': expected one of [table, json,"
            + " yaml] (case-sensitive) but was 'text' (see 'holdfast xds status --help')",
      })
  void badArgumentsAreExplainedInOneLine(String line, String message) {
    int exitCode = captured.run(line == null ? new String[0] : line.split(" "));

    assertThat(captured.err()).isEqualTo("holdfast: " + message + "\n");
    assertThat(captured.out()).isEmpty();
    assertThat(exitCode).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "bootstrap --help",
        "bootstrap envoy --help",
        "bootstrap grpc --help",
        "describe --help",
        "get --help",
        "get objects --help",
        "get proxies --help",
        "get resources --help",
        "get holds --help",
        "get problems --help",
        "get incidents --help",
        "serve --help",
        "validate --help",
        "xds --help",
        "xds watch --help",
        "xds status -h"
      })
  void helpIsPrintedToStandardOutputAndIsNoError(String line) {
    int exitCode = captured.run(line.split(" "));

    assertThat(captured.out()).contains("Usage: holdfast").doesNotContain("\u001b");
    assertThat(captured.lines()).allMatch(text -> text.length() <= 100);
    assertThat(captured.err()).isEmpty();
    assertThat(exitCode).isZero();
  }

  @Test
  void helpOfACommandHasExamples() {
    captured.run("xds", "watch", "--help");

    assertThat(captured.lines())
        .containsAll(
            List.of(
                "Examples:",
                "  holdfast xds watch --server localhost:18000 listener/shop cluster/cart"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V", "xds watch --version"})
  void theVersionIsTheBuilds(String line) {
    int exitCode = captured.run(Map.of(), line.split(" "));

    assertThat(captured.out()).matches("holdfast [0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?\n");
    assertThat(exitCode).isZero();
  }
}
