// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import static dev.holdfast.cli.apply.ApplyFixture.proxy;
import static dev.holdfast.cli.apply.ApplyFixture.service;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.cli.waiting.RunningCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written, and what is not. */
@SuppressWarnings("NullAway.Init") // set by start()
class ApplyTest {
  @TempDir Path root;
  private ApplyFixture fixture;

  @BeforeEach
  void start() {
    fixture = new ApplyFixture(root);
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void newObjectsGetFilesOfTheirOwnAndOldOnesAreReplacedWhereTheyStand() throws Exception {
    fixture.served("all.yaml", proxy("web", "old") + "---\n# of old\n" + service("old"));
    fixture.source("x.yaml", proxy("web", "new") + "---\n" + service("new"));

    RunningCommand command = fixture.apply();

    assertThat(command.exitCode()).isZero();
    assertThat(fixture.served())
        .isEqualTo(
            Map.of(
                "all.yaml",
                proxy("web", "new") + "---\n# of old\n" + service("old"),
                "service_default_new.yaml",
                service("new")));
    assertThat(command.lines())
        .containsExactly(
            "HTTPProxy/default/web: changed, " + fixture.served + "/all.yaml",
            "Service/default/new: created, " + fixture.served + "/service_default_new.yaml");
  }

  @Test
  void whatSaysTheSameIsLeftAlone() throws Exception {
    fixture.served("a.yaml", "# mine\n" + service("a"));
    Path file = fixture.served.resolve("a.yaml");
    Object before = Files.readAttributes(file, "*").get("fileKey");
    fixture.source("x.yaml", "# yours\n" + service("a").replace("80", "0x50"));

    RunningCommand command = fixture.apply("-o", "json");

    assertThat(command.exitCode()).isZero();
    assertThat(fixture.served()).isEqualTo(Map.of("a.yaml", "# mine\n" + service("a")));
    assertThat(Files.readAttributes(file, "*").get("fileKey")).isEqualTo(before);
    assertThat(command.out())
        .isEqualTo(
            """
            {
              "outcome": "written",
              "directory": "%s",
              "objects": [
                {
                  "kind": "Service",
                  "namespace": "default",
                  "name": "a",
                  "action": "unchanged",
                  "file": "%s",
                  "generation": 0,
                  "state": "written",
                  "reason": "",
                  "message": "",
                  "proxies": {
                    "total": 0,
                    "programmed": 0,
                    "pending": 0,
                    "rejected": 0
                  }
                }
              ],
              "problems": []
            }
            """
                .formatted(fixture.served, file));
  }

  @Test
  void ofABadSetNothingIsWrittenAndEverythingWrongIsListed() throws Exception {
    fixture.source("a.yaml", service("a"));
    fixture.source("b.yaml", service("b").replace("port:", "prt:"));
    fixture.source("c.yaml", "kind: [\n");

    RunningCommand command = fixture.apply();

    assertThat(command.exitCode()).isEqualTo(3);
    assertThat(fixture.served()).isEmpty();
    assertThat(command.lines())
        .hasSizeGreaterThan(2)
        .anyMatch(
            line -> line.matches(".*/b.yaml:4:17: Service/default/b: spec.ports\\[0\\].prt: .*"))
        .anyMatch(line -> line.matches(".*/c.yaml:.*not YAML.*"))
        .last()
        .asString()
        .endsWith(" problems; nothing was written");
  }

  @Test
  void whatRefersToNothingIsRefusedTogetherWithWhatIsServed() throws Exception {
    fixture.served("svc.yaml", service("there"));
    fixture.source("good.yaml", proxy("good", "there"));
    fixture.source("bad.yaml", proxy("bad", "nowhere"));

    RunningCommand command = fixture.apply("-o", "json");

    assertThat(command.exitCode()).isEqualTo(3);
    JsonObject json = JsonParser.parseString(command.out()).getAsJsonObject();
    assertThat(json.get("outcome").getAsString()).isEqualTo("invalid");
    assertThat(json.getAsJsonArray("objects")).isEmpty();
    assertThat(json.getAsJsonArray("problems")).hasSize(1);
    JsonObject problem = json.getAsJsonArray("problems").get(0).getAsJsonObject();
    assertThat(problem.get("name").getAsString()).isEqualTo("bad");
    assertThat(problem.get("line").getAsInt()).isEqualTo(6);
    assertThat(fixture.served()).containsOnlyKeys("svc.yaml");

    assertThat(fixture.apply("--skip-references").exitCode()).isZero();
    assertThat(fixture.served()).hasSize(3);
  }

  @Test
  void whatWouldBreakAnotherObjectIsRefusedToo() throws Exception {
    fixture.served("web.yaml", proxy("web", "a"));
    fixture.served("broken.yaml", proxy("broken", "nowhere")); // no news
    fixture.served("a.yaml", service("a"));
    fixture.source("a.yaml", service("a").replace("80", "81"));

    RunningCommand command = fixture.apply();

    assertThat(command.exitCode()).isEqualTo(3);
    assertThat(command.lines()).hasSize(2);
    assertThat(command.lines().get(0)).contains("served/web.yaml:6:", "HTTPProxy/default/web: ");
    assertThat(fixture.served()).containsEntry("a.yaml", service("a"));
  }

  @Test
  void aDryRunSaysWhatWouldBeDone() throws Exception {
    fixture.served("a.yaml", service("a"));
    fixture.source("x.yaml", service("a").replace("80", "81") + "---\n" + service("b"));

    RunningCommand command = fixture.apply("--dry-run");

    assertThat(command.exitCode()).isZero();
    assertThat(command.lines())
        .containsExactly(
            "Service/default/a: would be changed, " + fixture.served + "/a.yaml",
            "Service/default/b: would be created, " + fixture.served + "/service_default_b.yaml");
    assertThat(fixture.served()).isEqualTo(Map.of("a.yaml", service("a")));
  }

  @Test
  void aLinkAndPermissionsStay() throws Exception {
    Path real = Files.writeString(fixture.served.resolve(".real"), service("a"));
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-rw-r--"));
    Path link = Files.createSymbolicLink(fixture.served.resolve("a.yaml"), real);
    fixture.source("x.yaml", service("a").replace("80", "81"));

    assertThat(fixture.apply().exitCode()).isZero();

    assertThat(link).isSymbolicLink();
    assertThat(Files.readString(real)).contains("81");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
        .isEqualTo("rw-rw-r--");
  }

  @Test
  void aFileThatOnlyHasCommentsIsGoneOnWith() throws Exception {
    fixture.served("service_default_a.yaml", "# was removed\n");
    fixture.source("x.yaml", service("a"));

    assertThat(fixture.apply().exitCode()).isZero();
    assertThat(fixture.served())
        .containsEntry("service_default_a.yaml", "# was removed\n---\n" + service("a"));
  }

  @Test
  void aFileThatIsBrokenIsNotTouched() throws Exception {
    fixture.served("a.yaml", service("a") + "---\nkind: [\n");
    fixture.source("x.yaml", service("a").replace("80", "81"));

    RunningCommand command = fixture.apply();

    assertThat(command.exitCode()).isEqualTo(1);
    assertThat(command.err()).contains("Service/default/a: ", "/a.yaml cannot be edited: ");
    assertThat(fixture.served()).containsEntry("a.yaml", service("a") + "---\nkind: [\n");
  }

  @Test
  void aDirectoryThatIsNotHereIsAFailure() throws Exception {
    fixture.source("x.yaml", service("a"));
    Files.delete(fixture.served);
    RunningCommand gone = fixture.apply();

    assertThat(gone.exitCode()).isEqualTo(1);
    assertThat(gone.err())
        .isEqualTo(
            "holdfast: the server serves "
                + fixture.served
                + " on another machine (run this command there, or use --to DIRECTORY if that"
                + " directory is mounted here)\n");
    Path here = Files.createDirectory(root.resolve("here"));
    assertThat(fixture.apply("--to", here.toString()).exitCode()).isZero();
    assertThat(here.resolve("service_default_a.yaml")).exists();
  }

  @Test
  void withADirectoryToWriteToNoServerIsNeeded() throws Exception {
    fixture.source("x.yaml", service("a"));
    fixture.close();

    assertThat(fixture.apply("--to", fixture.served.toString()).exitCode()).isZero();
    assertThat(fixture.apply().exitCode()).isEqualTo(1);
    RunningCommand waiting = fixture.apply("--to", fixture.served.toString(), "--wait");
    assertThat(waiting.exitCode()).isEqualTo(1);
    assertThat(waiting.err()).contains("cannot be reached");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nowhere.yaml", "--to=nowhere", "--timeout=soon", ""})
  void badArgumentsAreExplained(String argument) throws Exception {
    String path = argument.endsWith(".yaml") ? argument : fixture.source.toString();
    RunningCommand command =
        argument.startsWith("--") ? fixture.run(path, argument) : fixture.run(path);

    assertThat(command.exitCode()).isEqualTo(2);
    assertThat(command.err()).contains("(see 'holdfast apply --help')");
  }
}
