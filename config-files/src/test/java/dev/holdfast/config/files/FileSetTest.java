// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static dev.holdfast.config.files.Yaml.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSetTest {
  @TempDir Path root;

  @Test
  void aDirectoryIsReadInOrderOfNames() throws IOException {
    write("b.yaml", service("b", 1) + service("a2", 1));
    write("sub/deep/c.YML", service("c", 1));
    write("a.json", "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\"a\"}}");
    write("README.md", "not: [yaml");
    write("b.yaml.swp", "not: [yaml");

    assertThat(names(read(root))).containsExactly("a", "b", "a2", "c");
    assertThat(problems(read(root))).isEmpty();
  }

  @Test
  void whatIsHiddenIsLeftOut() throws IOException {
    write(".a.yaml", "not: [yaml");
    write(".git/a.yaml", "not: [yaml");
    write("a.yaml", service("a", 1));

    assertThat(names(read(root))).containsExactly("a");
    assertThat(problems(read(root))).isEmpty();
  }

  @Test
  void linksAreFollowedAndLoopsEnd() throws IOException {
    write("..2026/a.yaml", service("a", 1));
    Files.createSymbolicLink(root.resolve("..data"), Path.of("..2026"));
    Files.createSymbolicLink(root.resolve("a.yaml"), Path.of("..data", "a.yaml"));
    write("sub/b.yaml", service("b", 1));
    Files.createSymbolicLink(root.resolve("sub/up"), root);
    Files.createSymbolicLink(root.resolve("sub/self"), Path.of("."));
    Files.createSymbolicLink(root.resolve("twin"), root.resolve("sub"));

    assertThat(names(read(root))).containsExactly("a", "b");
    assertThat(problems(read(root))).isEmpty();
  }

  @Test
  void aFileThatCannotBeReadIsReportedAndHurtsNoOther() throws IOException {
    write("a.yaml", service("a", 1));
    Files.createSymbolicLink(root.resolve("b.yaml"), Path.of("nowhere"));
    Files.createSymbolicLink(root.resolve("c.yaml"), Path.of("c.yaml"));
    write("d.yaml", service("d", 1) + "---\nx: [");

    assertThat(names(read(root))).containsExactly("a", "d");
    assertThat(problems(read(root)))
        .hasSize(3)
        .satisfiesExactly(
            b ->
                assertThat(b)
                    .isEqualTo(root.resolve("b.yaml") + ": file cannot be read: no such file"),
            c -> assertThat(c).startsWith(root.resolve("c.yaml") + ": file cannot be read: "),
            d -> assertThat(d).startsWith(root.resolve("d.yaml") + ":9:5: not YAML: "));
  }

  @Test
  void aPipeIsNotWaitedFor() throws Exception {
    Process mkfifo = new ProcessBuilder("mkfifo", root.resolve("a.yaml").toString()).start();
    assertThat(mkfifo.waitFor()).isZero();

    assertThat(problems(read(root)))
        .containsExactly(
            root.resolve("a.yaml")
                + ": file cannot be read: not a regular file but a pipe, a socket or a device (expected: a file)");
  }

  @Test
  void ofADuplicateTheFirstCountsAndBothPlacesAreTold() throws IOException {
    write("a.yaml", service("x", 1) + service("y", 1));
    write("b.yaml", service("y", 2) + service("x", 2) + service("z", 2));
    ReadResult read = read(root);

    assertThat(names(read)).containsExactly("x", "y", "z");
    assertThat(read.objects().get(0).body().position().source()).endsWith("a.yaml");
    assertThat(problems(read))
        .containsExactly(
            root.resolve("b.yaml")
                + ":2:1: metadata.name: Service/default/y is defined twice (expected: once; the"
                + " one in use is at "
                + root.resolve("a.yaml")
                + ":9:1)",
            root.resolve("b.yaml")
                + ":9:1: metadata.name: Service/default/x is defined twice (expected: once; the"
                + " one in use is at "
                + root.resolve("a.yaml")
                + ":2:1)");
  }

  @Test
  void filesMayHaveAnyNameAndAreReadOnce() throws IOException {
    write("a.conf", service("a", 1));
    write("b.yaml", service("b", 1));
    ReadResult read = FileSet.read(List.of(root.resolve("a.conf"), root, root.resolve("b.yaml")));

    assertThat(names(read)).containsExactly("a", "b");
    assertThat(problems(read)).isEmpty();
  }

  @Test
  void aFileThatIsNotThereIsReported() {
    assertThat(problems(FileSet.read(List.of(Path.of("no", "such.yaml")))))
        .containsExactly("no/such.yaml: file cannot be read: no such file");
  }

  @Test
  void problemsComeInOrderOfTheirPlaces() throws IOException {
    write("a.yaml", "kind: Service\nmetadata: {name: A}\n---\n1: 2\n");

    assertThat(read(root).problems())
        .extracting(problem -> problem.position().line() + " " + problem.problem().path())
        .containsExactly("1 apiVersion", "2 metadata.name", "4 ");
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, text);
  }

  private static ReadResult read(Path path) {
    return FileSet.read(List.of(path));
  }

  private static List<String> names(ReadResult read) {
    return read.objects().stream().map(ConfigObject::key).map(key -> key.name()).toList();
  }

  private static List<String> problems(ReadResult read) {
    return read.problems().stream().map(Object::toString).toList();
  }
}
