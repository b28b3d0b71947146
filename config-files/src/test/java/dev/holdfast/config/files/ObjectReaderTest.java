// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectReaderTest {
  @Test
  void readsWhatAllObjectsHaveInCommon() {
    ConfigObject object =
        object(
            """
            apiVersion: projectcontour.io/v1
            kind: HTTPProxy
            metadata:
              name: shop
              namespace: web
              uid: u-1234
              generation: 7
              creationTimestamp: "2026-01-31T12:00:00+01:00"
              labels: {app.kubernetes.io/name: shop, empty: ""}
              annotations: {note: any text at all}
              resourceVersion: "99"
            spec:
              routes: []
            extra: kept for those who know the kind
            status: {}
            """);

    assertThat(object.key()).isEqualTo(new ObjectKey("HTTPProxy", "web", "shop"));
    assertThat(object.apiVersion()).isEqualTo("projectcontour.io/v1");
    assertThat(object.uid()).isEqualTo("u-1234");
    assertThat(object.generation()).isEqualTo(7);
    assertThat(object.created()).isEqualTo(Instant.parse("2026-01-31T11:00:00Z"));
    assertThat(object.labels()).containsEntry("app.kubernetes.io/name", "shop").hasSize(2);
    assertThat(object.annotations()).containsEntry("note", "any text at all");
    assertThat(object.body().fields().keySet()).containsExactly("spec", "extra");
    assertThat(object.body().keyPosition("extra")).hasToString("f.yaml:14:1");
    assertThat(object.body().position()).hasToString("f.yaml:1:1");
  }

  @Test
  void whatIsLeftOutHasDefaults() {
    String text =
        """
        apiVersion: v1
        kind: Service
        metadata:
          name: a
          labels:
          annotations: ~
          creationTimestamp: null
        """;
    ConfigObject object = object(text);

    assertThat(object.key()).hasToString("Service/default/a");
    assertThat(object.generation()).isEqualTo(1);
    assertThat(object.created()).isEqualTo(Instant.EPOCH);
    assertThat(object.labels()).isEmpty();
    assertThat(object.uid()).isEqualTo(object(text).uid()).hasSize(36);
    assertThat(object(text.replace("name: a", "name: b")).uid()).isNotEqualTo(object.uid());
  }

  @Test
  void everyProblemIsToldWithItsPlace() {
    assertThat(
            problems(
                """
                apiVersion: 1
                metadata:
                  name: Not_Good
                  namespace: a.b
                  generation: 0
                  creationTimestamp: yesterday
                  labels:
                    -bad: ok
                    good: true
                    long: has spaces
                  annotations: [x]
                  lables: {}
                """))
        .containsExactly(
            "f.yaml:1:13: apiVersion: the number 1 without quotes (expected: a string)",
            "f.yaml:1:1: kind: missing",
            "f.yaml:3:9: metadata.name: \"Not_Good\" (expected: at most 253 of a-z, 0-9, '-' and"
                + " '.', each part between dots beginning and ending with a letter or digit)",
            "f.yaml:4:14: metadata.namespace: \"a.b\" (expected: at most 63 of a-z, 0-9 and '-',"
                + " beginning and ending with a letter or digit)",
            "f.yaml:5:15: metadata.generation: 0 (expected: a whole number from 1)",
            "f.yaml:6:22: metadata.creationTimestamp: yesterday (expected: a time such as"
                + " 2026-01-31T12:00:00Z)",
            "f.yaml:8:5: metadata.labels.-bad: \"-bad\" (expected: a name of at most 63 letters,"
                + " digits, '-', '_' and '.', with or without a domain and '/' before it)",
            "f.yaml:9:11: metadata.labels.good: the boolean true without quotes (expected: a"
                + " string)",
            "f.yaml:10:11: metadata.labels.long: \"has spaces\" (expected: at most 63 letters,"
                + " digits, '-', '_' and '.', beginning and ending with a letter or digit)",
            "f.yaml:11:16: metadata.annotations: a list (expected: a mapping of strings to"
                + " strings)",
            "f.yaml:12:3: metadata.lables: unknown field (did you mean labels?)");
  }

  @Test
  void aDocumentWithAnyProblemGivesNoObject() {
    String text = "apiVersion: v1\nkind: Service\nmetadata: {name: a, labels: {x: 1}}\n";

    assertThat(read(text).objects()).isEmpty();
    assertThat(problems(text))
        .containsExactly(
            "f.yaml:3:33: metadata.labels.x: the number 1 without quotes (expected: a string)");
  }

  @Test
  void missingMetadataIsTold() {
    assertThat(problems("apiVersion: v1\nkind: Service\n"))
        .containsExactly(
            "f.yaml:1:1: metadata: missing (expected: a mapping with at least a name)");
    assertThat(problems("apiVersion: v1\nkind: Service\nmetadata: x\n"))
        .containsExactly(
            "f.yaml:3:11: metadata: a string (expected: a mapping with at least a name)");
    assertThat(problems("apiVersion: v1\nkind: Service\nmetadata: {}\n"))
        .containsExactly("f.yaml:3:11: metadata.name: missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"just text", "- a\n- list", "42"})
  void aDocumentThatIsNoObjectIsTold(String text) {
    assertThat(problems(text)).hasSize(1).first().asString().contains("(expected: an object with");
  }

  @ParameterizedTest
  @ValueSource(strings = {"---", "~", "# comment", "null"})
  void anEmptyDocumentIsSkipped(String text) {
    assertThat(read(text).objects()).isEmpty();
    assertThat(read(text).problems()).isEmpty();
  }

  @Test
  void aListIsItsItems() {
    ReadResult read =
        read(
            """
            apiVersion: v1
            kind: List
            items:
            - {apiVersion: v1, kind: Service, metadata: {name: a}}
            - {apiVersion: v1, kind: Service, metadata: {name: B}}
            - apiVersion: v1
              kind: List
              items:
              - {apiVersion: v1, kind: Service, metadata: {name: c}}
              - nothing
            """);

    assertThat(read.objects())
        .extracting(object -> object.key().toString())
        .containsExactly("Service/default/a", "Service/default/c");
    assertThat(read.problems())
        .extracting(problem -> problem.position() + " " + problem.problem().path())
        .containsExactly("f.yaml:5:52 items[1].metadata.name", "f.yaml:10:5 items[2].items[1]");
  }

  @Test
  void aListMayBeEmptyButNotAnythingElse() {
    assertThat(problems("apiVersion: v1\nkind: List\nitems: []\n")).isEmpty();
    assertThat(problems("apiVersion: v1\nkind: List\nitems:\n")).isEmpty();
    assertThat(problems("apiVersion: v1\nkind: List\n"))
        .containsExactly("f.yaml:1:1: items: missing (expected: a list of objects)");
    assertThat(problems("apiVersion: v1\nkind: List\nitems: {}\n"))
        .containsExactly("f.yaml:3:8: items: a mapping (expected: a list of objects)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a-b.c", "0", "a.b"})
  void namesThatAreAllowed(String name) {
    assertThat(KubernetesNames.name(name)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-a", "a-", "a..b", ".a", "A", "a_b", "a/b", "ä", "a\n"})
  void namesThatAreNot(String name) {
    assertThat(KubernetesNames.name(name)).isNotNull();
  }

  @Test
  void namesHaveALength() {
    assertThat(KubernetesNames.name("a".repeat(253))).isNull();
    assertThat(KubernetesNames.name("a".repeat(254))).isNotNull();
    assertThat(KubernetesNames.namespace("a".repeat(63))).isNull();
    assertThat(KubernetesNames.namespace("a".repeat(64))).isNotNull();
    assertThat(KubernetesNames.qualified("x.io/" + "a".repeat(64))).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1alpha1", "v2beta10", "projectcontour.io/v1"})
  void versionsThatAreAllowed(String version) {
    assertThat(KubernetesNames.apiVersion(version)).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "v", "/v1", "a/b/v1", "a/", "Group/v1", "v1gamma1"})
  void versionsThatAreNot(String version) {
    assertThat(KubernetesNames.apiVersion(version)).isNotNull();
  }

  private static ReadResult read(String text) {
    Documents documents = YamlReader.read("f.yaml", text.getBytes(StandardCharsets.UTF_8));
    assertThat(documents.problems()).isEmpty();
    return documents.documents().isEmpty()
        ? new ReadResult(List.of(), List.of())
        : ObjectReader.read(documents.documents().get(0));
  }

  private static List<String> problems(String text) {
    return read(text).problems().stream().map(LocatedProblem::toString).toList();
  }

  private static ConfigObject object(String text) {
    assertThat(problems(text)).isEmpty();
    return read(text).objects().get(0);
  }
}
