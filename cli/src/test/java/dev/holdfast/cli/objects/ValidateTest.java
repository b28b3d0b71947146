// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.objects;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.cli.CapturedOutput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code holdfast validate} says of files. */
class ValidateTest {
  private static final String GOOD =
      "apiVersion: v1\nkind: Service\nmetadata: {name: good}\nspec: {ports: [{port: 80}]}\n";
  private static final String BAD =
      """
      apiVersion: v1
      kind: Service
      metadata:
        name: bad
        namespace: shop
      spec:
        prots: []
        ports:
        - port: 0
      """;

  private final CapturedOutput captured = new CapturedOutput();
  @TempDir Path directory;

  @Test
  void everyProblemHasItsPlaceAndItsOwner() throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), GOOD + "---\n" + BAD);

    int exitCode = captured.run("validate", file.toString());

    assertThat(captured.lines()).hasSize(3);
    assertThat(captured.lines().get(0))
        .startsWith(file + ":12:3: Service/shop/bad: spec.prots: unknown field (expected: one of");
    assertThat(captured.lines().subList(1, 3))
        .containsExactly(
            file
                + ":14:11: Service/shop/bad: spec.ports[0].port: 0 (expected: a whole number from 1"
                + " to 65535)",
            "2 problems; 1 of 2 objects valid");
    assertThat(captured.err()).isEmpty();
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void whatIsNotYamlHasNoOwner() throws IOException {
    Files.writeString(directory.resolve("a.yaml"), "a: [1\n");
    Files.writeString(directory.resolve("b.yaml"), GOOD);

    int exitCode = captured.run("validate", directory.toString());

    assertThat(captured.lines()).hasSize(2);
    assertThat(captured.lines().get(0)).startsWith(directory.resolve("a.yaml") + ":");
    assertThat(captured.lines().get(1)).isEqualTo("1 problem; 1 of 1 object valid");
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void whatAServerDoesNotAllowIsAProblemIfItsOptionsAreGiven() throws IOException {
    Path objects = Files.createDirectories(directory.resolve("objects/team-a"));
    Path service = Files.writeString(objects.resolve("s.yaml"), GOOD);
    Path proxy =
        Files.writeString(
            objects.resolve("p.yaml"),
            """
            apiVersion: projectcontour.io/v1
            kind: HTTPProxy
            metadata: {name: web, namespace: a}
            spec:
              virtualhost: {fqdn: b.example}
              routes:
              - requestHeadersPolicy: {set: [{name: Upgrade, value: x}]}
                services: [{name: s, port: 80}]
            """);
    Path config =
        Files.writeString(
            directory.resolve("holdfast.yaml"),
            """
            source: {directory: objects}
            admin: {tokenFile: not-for-authors}
            authors:
              directories: [{directory: "team-*", namespaces: "{1}"}]
              hosts: [{hosts: "*.a.example", namespaces: a}]
            """);

    assertThat(captured.run("validate", objects.toString())).isZero();
    assertThat(captured.run("validate", objects.toString(), "--config", config.toString()))
        .isEqualTo(1);
    assertThat(captured.lines().subList(1, 4))
        .extracting(line -> line.split("[(]", 2)[0].strip())
        .containsExactly(
            proxy
                + ":5:23: HTTPProxy/a/web: spec.virtualhost.fqdn: b.example, which the server"
                + " allows in no namespace",
            proxy
                + ":7:41: HTTPProxy/a/web: spec.routes[0].requestHeadersPolicy.set[0].name:"
                + " \"Upgrade\", which authors must not change",
            service
                + ":1:1: metadata.namespace: Service/default/good: namespace default, which the"
                + " server does not allow in this directory");
    assertThat(captured.run("validate", objects.toString(), "--config", "none.yaml")).isEqualTo(2);
  }

  @Test
  void theFormForProgramsIsStable() throws IOException {
    Path file = Files.writeString(directory.resolve("a.yaml"), BAD.replace("  prots: []\n", ""));

    int exitCode = captured.run("validate", "-o", "json", file.toString());

    JsonObject expected =
        JsonParser.parseString(
                """
                {
                  "objects": 1,
                  "valid": 0,
                  "problems": [
                    {
                      "file": "FILE",
                      "line": 8,
                      "column": 11,
                      "kind": "Service",
                      "namespace": "shop",
                      "name": "bad",
                      "path": "spec.ports[0].port",
                      "problem": "invalid",
                      "message": "0 (expected: a whole number from 1 to 65535)"
                    }
                  ]
                }
                """
                    .replace("FILE", file.toString()))
            .getAsJsonObject();
    assertThat(JsonParser.parseString(captured.out())).isEqualTo(expected);
    assertThat(exitCode).isEqualTo(1);
  }

  @Test
  void theExampleIsValid() {
    int exitCode = captured.run("validate", "--references", "../examples/shop");

    assertThat(captured.lines()).containsExactly("10 objects, no problems");
    assertThat(exitCode).isZero();
  }

  @Test
  void referencesAreCheckedOnDemand() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("a.yaml"),
            """
            apiVersion: projectcontour.io/v1
            kind: HTTPProxy
            metadata: {name: p}
            spec:
              virtualhost: {fqdn: a.com}
              routes:
              - services:
                - {name: gone, port: 80}
            """);

    assertThat(captured.run("validate", file.toString())).isZero();
    assertThat(captured.run("validate", "--references", file.toString())).isEqualTo(1);

    assertThat(captured.lines())
        .containsExactly(
            "1 object, no problems",
            file
                + ":8:7: HTTPProxy/default/p: spec.routes[0].services[0]: Service/default/gone does"
                + " not exist",
            "1 problem; 0 of 1 object valid");
  }

  @Test
  void noFilesAreBadArguments() {
    assertThat(captured.run("validate", directory.toString())).isEqualTo(2);
    assertThat(captured.run("validate", directory.resolve("none").toString())).isEqualTo(2);
    assertThat(captured.out()).isEmpty();
    assertThat(captured.err())
        .isEqualTo(
            "holdfast: no objects found (expected: files whose names end in .yaml, .yml or .json) (see"
                + " 'holdfast validate --help')\n"
                + "holdfast: "
                + directory.resolve("none")
                + ": no such file or directory (see 'holdfast validate --help')\n");
  }
}
