// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.base.NamePattern;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.authors.AuthorPolicy;
import dev.holdfast.controlplane.authors.Capability;
import dev.holdfast.controlplane.authors.DirectoryRule;
import dev.holdfast.controlplane.authors.ExtensionRules;
import dev.holdfast.controlplane.authors.HeaderRules;
import dev.holdfast.controlplane.authors.HostRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules for authors in the options file. */
class AuthorsOptionTest {
  @TempDir Path directory;

  private PartialOptions read(String authors) throws IOException, StartException {
    Path file = directory.resolve("holdfast.yaml");
    Files.writeString(
        file, "source: {directory: objects}\nstate: {path: state.db}\nauthors:\n" + authors);
    return OptionsFile.read(file);
  }

  private static List<NamePattern> patterns(String... texts) {
    return Stream.of(texts).map(NamePattern::new).toList();
  }

  @Test
  void everyRuleCanBeWritten() throws Exception {
    List<NamePattern> headers = new ArrayList<>(HeaderRules.SAFE.denied());
    headers.remove(new NamePattern("te"));
    headers.addAll(patterns("x-internal-*"));

    assertThat(
            read("""
                      directories: [{directory: "team-*", namespaces: ["{1}", "{1}-*"]}]
                      hosts: [{hosts: "*.shop.example", namespaces: shop}]
                      extensions:
                        namespaces: [edge, "team-*"]
                        code: lua
                        sources: [file, remote]
                        types: "envoy.extensions.filters.http.*"
                        deniedTypes: ["*.fault.*"]
                      headers: {allowed: TE, denied: X-Internal-*}
                    """)
                .complete(Map.of())
                .authors())
        .isEqualTo(
            new AuthorPolicy(
                List.of(new DirectoryRule(new NamePattern("team-*"), patterns("{1}", "{1}-*"))),
                List.of(new HostRule(patterns("*.shop.example"), patterns("shop"))),
                new ExtensionRules(
                    patterns("edge", "team-*"),
                    EnumSet.of(Capability.LUA, Capability.FILE, Capability.REMOTE),
                    patterns("envoy.extensions.filters.http.*"),
                    patterns("*.fault.*")),
                new HeaderRules(headers)));
  }

  @Test
  void whatIsNotWrittenIsSafe() throws Exception {
    assertThat(read("  hosts: [{hosts: a, namespaces: b}]\n").complete(Map.of()).authors())
        .isEqualTo(
            new AuthorPolicy(
                List.of(),
                List.of(new HostRule(patterns("a"), patterns("b"))),
                ExtensionRules.SAFE,
                HeaderRules.SAFE));
  }

  @Test
  void theCommandLineSaysWhichCodeRuns() throws Exception {
    PartialOptions inFile = read("  extensions: {code: wasm, sources: file}\n");
    AuthorOptions flags = new AuthorOptions(null, AuthorOptions.code("lua,native"));

    assertThat(flags.orElse(inFile.authors()).complete().extensions().capabilities())
        .containsExactlyInAnyOrder(Capability.LUA, Capability.NATIVE, Capability.FILE);
    assertThatThrownBy(() -> AuthorOptions.code("lua,perl"))
        .hasMessage("'perl' (expected: lua, wasm or native)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "extension: {}|authors.extension: unknown option (expected: one of directories,",
        "extensions: {code: perl}|authors.extensions.code: 'perl' (expected: lua, wasm or native)",
        "extensions: {sources: [url]}|sources: 'url' (expected: file, environment or remote)",
        "extensions: none|authors.extensions: not a mapping",
        "directories: {a: b}|authors.directories: not a list (expected: at least one entry)",
        "directories: [{directory: a}]|incomplete (expected: a directory, and its namespaces)",
        "directories: [{directory: /etc, namespaces: a}]|'/etc' (expected: a path in the served",
        "directories: [{directory: a/../b, namespaces: a}]|'a/../b' (expected: a path in the",
        "directories: [{directory: a, namespaces: '{1}'}]|'{1}' (expected: a * for each number",
        "hosts: [{hosts: a}]|authors.hosts: incomplete (expected: hosts, and their namespaces)",
        "hosts: [{hosts: a, namespaces: 1}]|not a string (expected: a name, with * or not)",
        "headers: {allowed: x-fine}|'x-fine' (expected: a header that is denied by default)",
      })
  void whatIsWrongIsToldWithItsPlace(String authors, String message) {
    assertThatThrownBy(() -> read("  " + authors + "\n"))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("holdfast.yaml:4:")
        .hasMessageContaining(message);
  }

  @Test
  void thoseWhoCheckObjectsNeedNotKnowTheToken() throws Exception {
    Path file = directory.resolve("holdfast.yaml");
    Files.writeString(
        file,
        "admin: {tokenFile: secret.token}\nauthors: {directories: [{directory: a, namespaces: b}]}");

    assertThatThrownBy(() -> OptionsFile.read(file)).hasMessageContaining("secret.token");
    ObjectRules rules = ObjectRules.of(file);
    assertThat(rules.placement().problem(Path.of("a/x.yaml"), new ObjectKey("Service", "c", "s")))
        .contains("namespace c");
  }
}
