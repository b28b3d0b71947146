// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.cli.CommandException;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.files.FileSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One object of a file is changed, and nothing else of it. */
class FileEditorTest {
  private static final ObjectKey B = new ObjectKey("Service", "default", "b");

  /** What every file below holds in the place of {@code @}, and what it is to hold afterwards. */
  private static final String OLD = object(80);

  private static final String NEW = "# new\n" + object(81);

  @TempDir Path directory;

  private static String object(int port) {
    return "apiVersion: v1\nkind: Service\nmetadata: {name: b}\nspec: {ports: [{port: %d}]}\n"
        .formatted(port);
  }

  static Stream<Arguments> files() {
    String other =
        "# of a\napiVersion: v1\nkind: Service\nmetadata: {name: a} # end\nspec: {x: [1,  2]}\n";
    return Stream.of(
        Arguments.of("alone", "@"),
        Arguments.of("first", "@---\n" + other),
        Arguments.of("last", other + "---\n@"),
        Arguments.of("between", other + "---\n@---\n" + other.replace("name: a", "name: c")),
        Arguments.of("after a comment on the separator", other + "--- # here\n@"),
        Arguments.of("before an explicit end", "---\n@...\n# nothing more\n"),
        Arguments.of("with empty documents around", "---\n---\n@---\n---\n"),
        Arguments.of("after a directive", "%YAML 1.2\n---\n@"),
        Arguments.of("after letters of two characters", "# 😀😀\n" + other + "---\n@---\n# 😀\n"),
        Arguments.of("with carriage returns", other.replace("\n", "\r\n") + "---\r\n@"),
        Arguments.of("after a byte order mark", "\uFEFF" + other + "---\n@"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("files")
  void everyOtherCharacterStays(String unused, String template) throws Exception {
    ObjectFile edited = edit("x.yaml", template.replace("@", OLD), NEW);

    assertThat(edited.text()).isEqualTo(template.replace("@", NEW));
  }

  @Test
  void aDocumentOnTheLineOfItsSeparatorGetsLinesOfItsOwn() throws Exception {
    ObjectFile edited =
        edit(
            "x.yaml",
            "--- {apiVersion: v1, kind: Service, metadata: {name: b}, spec: {}}\n---\n# end\n",
            NEW);

    assertThat(edited.text()).isEqualTo("---\n" + NEW + "---\n# end\n");
  }

  @Test
  void aLastLineWithoutABreakGetsOneIfSomethingFollows() throws Exception {
    String unended = NEW.stripTrailing();

    assertThat(edit("x.yaml", OLD + "---\n# end\n", unended).text())
        .isEqualTo(NEW + "---\n# end\n");
    assertThat(edit("x.yaml", OLD, unended).text()).isEqualTo(unended);
  }

  @Test
  void anItemOfAListIsReplacedAlone() throws Exception {
    String list =
        """
        apiVersion: v1
        kind: List
        items:
          - apiVersion: v1
            kind: Service
            metadata: {name: a} # of a
          # of b
          - apiVersion: v1
            kind: Service
            metadata: {name: b}
            spec:
              ports: [{port: 80}]

          # of c
          - {apiVersion: v1, kind: Service, metadata: {name: c}}
        """;

    ObjectFile edited = edit("x.yaml", list, NEW);

    assertThat(edited.text())
        .isEqualTo(
            """
            apiVersion: v1
            kind: List
            items:
              - apiVersion: v1
                kind: Service
                metadata: {name: a} # of a
              # of b
              - {"apiVersion":"v1","kind":"Service","metadata":{"name":"b"},"spec":{"ports":[{"port":81}]}}

              # of c
              - {apiVersion: v1, kind: Service, metadata: {name: c}}
            """);
  }

  @Test
  void jsonStaysJson() throws Exception {
    ObjectFile one =
        edit(
            "x.json",
            "\t{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {\"name\": \"b\"}}",
            NEW);
    ObjectFile list =
        edit(
            "x.json",
            """
            {"apiVersion": "v1", "kind": "List", "items": [
              {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "b"}},
            \t{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}}
            ]}
            """,
            NEW);

    assertThat(one.text()).startsWith("{\n  \"apiVersion\": \"v1\",\n").endsWith("\n}\n");
    assertThat(list.text())
        .startsWith("{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n  {\n    \"apiV")
        .endsWith(
            "  },\n"
                + "\t{\"apiVersion\": \"v1\", \"kind\": \"Service\", \"metadata\": {\"name\":"
                + " \"a\"}}\n"
                + "]}\n");
  }

  @Test
  void whatComesFromAListOrJsonIsWrittenAsADocument() throws Exception {
    String json =
        "{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{\"apiVersion\": \"v1\","
            + " \"kind\": \"Service\", \"metadata\": {\"name\": \"b\"}, \"spec\": {\"weight\":"
            + " 1.50}}]}";
    Path source = Files.writeString(directory.resolve("source.json"), json);
    ObjectFile file = ObjectFile.of("x.yaml", ("# kept\n---\n" + OLD).getBytes(UTF_8));

    assertThat(
            new FileEditor(file)
                .replace(requireNonNull(file.objects().get(B)), incoming(source))
                .text())
        .isEqualTo(
            """
            # kept
            ---
            apiVersion: v1
            kind: Service
            metadata:
              name: b
            spec:
              weight: 1.5
            """);
  }

  @Test
  void aFurtherDocumentIsSeparatedFromWhatIsThere() throws Exception {
    Path source = Files.writeString(directory.resolve("source"), NEW);

    assertThat(appended("", source)).isEqualTo(NEW);
    assertThat(appended("# left alone", source)).isEqualTo("# left alone\n---\n" + NEW);
  }

  private static String appended(String text, Path source) {
    return new FileEditor(ObjectFile.of("x.yaml", text.getBytes(UTF_8)))
        .append(incoming(source))
        .text();
  }

  @Test
  void whatWouldChangeAnotherObjectIsNotDone() throws Exception {
    // The anchor of the old document is used in it only; that of a list is used by another item.
    String list =
        """
        apiVersion: v1
        kind: List
        items:
          - &b {apiVersion: v1, kind: Service, metadata: {name: b}, spec: &spec {x: 1}}
          - {apiVersion: v1, kind: Service, metadata: {name: a}, spec: *spec}
        """;

    assertThatThrownBy(() -> edit("x.yaml", list, NEW))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("Service/default/b: x.yaml cannot be edited: ")
        .hasMessageEndingWith("Nothing was written");
  }

  private ObjectFile edit(String name, String text, String replacement) throws IOException {
    Path source = Files.writeString(directory.resolve("source"), replacement);
    ObjectFile file = ObjectFile.of(name, text.getBytes(UTF_8));
    return new FileEditor(file).replace(requireNonNull(file.objects().get(B)), incoming(source));
  }

  private static AppliedObject incoming(Path source) {
    return AppliedObject.of(FileSet.read(List.of(source)).objects()).get(0);
  }
}
