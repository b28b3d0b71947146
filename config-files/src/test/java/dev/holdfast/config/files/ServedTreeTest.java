// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static dev.holdfast.config.files.Yaml.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Generations;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.SourceNote;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What stands in a served tree and is no tree of objects: links to elsewhere, pipes, far too much.
 * Whatever it is, it is told once, edits elsewhere in the tree go on, and no object disappears.
 */
class ServedTreeTest {
  private static final TreeLimits SMALL = new TreeLimits(20, 4, 10_000);

  @TempDir Path outside;
  private Path root = Path.of("");
  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final List<ObjectChanges> reports = new ArrayList<>();
  private final Map<ObjectKey, ConfigObject> objects = new TreeMap<>();
  private final List<FileSource> sources = new ArrayList<>();

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectory(outside.resolve("tree"));
    write("good.yaml", service("good", 1));
  }

  @AfterEach
  void nothingIsLeftBehind() {
    sources.forEach(FileSource::close);
    executor.runAll();
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void aLinkToADirectoryElsewhereIsNotFollowed() throws IOException {
    for (String target : List.of("/", "/proc/self", "..", "../other")) {
      Files.createDirectories(outside.resolve("other"));
      Files.writeString(outside.resolve("other/foreign.yaml"), service("foreign", 1));
      Path link = Files.createSymbolicLink(root.resolve("link"), Path.of(target));
      if (!Files.exists(link)) {
        Files.delete(link);
        continue; // no such thing on this system
      }
      start(TreeLimits.defaults());

      assertThat(generations()).as("through a link to %s", target).containsOnlyKeys("good");
      assertThat(problems())
          .containsExactly(
              link
                  + ": the link leads to a directory outside of the tree; it is not followed"
                  + " (expected: the files themselves, or a link to a place in the tree)");
      int before = reports.size();
      editOf("good", 2);
      assertThat(reports).as("told once").hasSize(before + 1);

      Files.delete(link);
      await(() -> problems().isEmpty());
      write("good.yaml", service("good", 1));
      sources.remove(0).close();
    }
  }

  @Test
  void aLinkToAFileElsewhereIsNotFollowed() throws IOException {
    Files.writeString(outside.resolve("a.yaml"), service("a", 1));
    Path link = Files.createSymbolicLink(root.resolve("link.yaml"), outside.resolve("a.yaml"));
    start(TreeLimits.defaults());

    assertThat(generations()).containsOnlyKeys("good");
    assertThat(problems())
        .containsExactly(
            link
                + ": file is not read: the link leads to a file outside of the tree; it is not"
                + " followed (expected: the files themselves, or a link to a place in the tree)");
    editOf("good", 2);
  }

  @Test
  void whatIsReplacedByALinkToElsewhereStaysAsItWas() throws IOException {
    write("a.yaml", service("a", 1));
    write("sub/b.yaml", service("b", 1));
    start(TreeLimits.defaults());
    Files.move(root.resolve("a.yaml"), outside.resolve("a.yaml"));
    Files.createSymbolicLink(root.resolve("a.yaml"), outside.resolve("a.yaml"));
    Files.move(root.resolve("sub"), outside.resolve("sub"));
    Files.createSymbolicLink(root.resolve("sub"), outside.resolve("sub"));
    await(() -> problems().size() == 2);
    assertThat(generations()).containsOnlyKeys("a", "b", "good");
    assertThat(last().notes().values())
        .extracting(SourceNote::reason)
        .containsExactly(SourceNote.UNREADABLE, SourceNote.UNREADABLE);
    editOf("good", 2);

    Files.delete(root.resolve("sub"));
    Files.delete(root.resolve("a.yaml"));
    write("a.yaml", service("a", 22));
    await(() -> problems().isEmpty() && generations().getOrDefault("a", 0L) == 2L);
    assertThat(generations()).containsOnlyKeys("a", "good");
    assertThat(reports).noneMatch(report -> report.removed().toString().contains("/a]"));
  }

  @Test
  void linksWithinTheTreeAreFollowed() throws IOException {
    write("..v1/a.yaml", service("a", 1)); // a volume that Kubernetes mounts
    write("..v1/deep/b.yaml", service("b", 1));
    Files.createSymbolicLink(root.resolve("..data"), Path.of("..v1"));
    Files.createSymbolicLink(root.resolve("a.yaml"), Path.of("..data", "a.yaml"));
    Files.createSymbolicLink(root.resolve("deep"), Path.of("..data", "deep"));
    write("teams/c.txt", service("c", 1));
    Files.createSymbolicLink(
        root.resolve("c.yaml"), root.resolve("teams/c.txt")); // absolute, and yet within
    Files.createSymbolicLink(root.resolve("loop"), Path.of("."));
    start(TreeLimits.defaults());

    assertThat(generations()).containsOnlyKeys("a", "b", "c", "good");
    assertThat(problems()).isEmpty();
  }

  @Test
  void aTreeBehindALinkIsATreeLikeOthers() throws IOException {
    write("..v1/a.yaml", service("a", 1));
    Files.createSymbolicLink(root.resolve("a.yaml"), root.resolve("..v1/a.yaml"));
    Path link = Files.createSymbolicLink(outside.resolve("current"), root);
    root = link;
    start(TreeLimits.defaults());

    assertThat(generations()).containsOnlyKeys("a", "good");
    assertThat(problems()).isEmpty();
  }

  @Test
  void aLinkToItselfIsAProblemOfItsOwn() throws IOException {
    Path loop = Files.createSymbolicLink(root.resolve("loop.yaml"), Path.of("loop.yaml"));
    start(TreeLimits.defaults());

    assertThat(problems()).singleElement().asString().startsWith(loop + ": file cannot be read: ");
    editOf("good", 2);
  }

  @Test
  void aPipeIsNotOpened() throws Exception {
    Path pipe = root.resolve("pipe.yaml");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    start(TreeLimits.defaults());

    assertThat(problems())
        .containsExactly(
            pipe
                + ": file cannot be read: not a regular file but a pipe, a socket or a device"
                + " (expected: a file)");
    editOf("good", 2);
    Files.delete(pipe);
    await(() -> problems().isEmpty());
  }

  @Test
  void aTreeThatGetsTooLargeChangesNothing() throws IOException {
    write("sub/a.yaml", service("a", 1));
    start(SMALL);
    for (int i = 0; i < 40; i++) {
      write("big/" + i + ".txt", "");
    }
    write("good.yaml", service("good", 22));
    Files.delete(root.resolve("sub/a.yaml"));
    await(() -> !problems().isEmpty());

    assertThat(problems())
        .containsExactly(
            root
                + ": the tree is too large and none of it is read, so that all objects stay as they"
                + " were: more than 20 files and directories, most of them in "
                + root.resolve("big")
                + " (expected: a tree of objects; remove what does not belong here, or raise the"
                + " limit 'files')");
    assertThat(generations()).containsExactly(Map.entry("a", 1L), Map.entry("good", 1L));
    assertThat(last().complete()).isFalse();
    assertThat(last().notes()).hasSize(2);
    int before = reports.size();
    time.advance(Duration.ofMinutes(1), executor::runAll);
    assertThat(reports).as("told once").hasSize(before);

    for (int i = 0; i < 40; i++) {
      Files.delete(root.resolve("big/" + i + ".txt"));
    }
    await(() -> problems().isEmpty() && generations().getOrDefault("good", 0L) == 2L);
    assertThat(generations()).containsExactly(Map.entry("good", 2L));
    assertThat(reports)
        .as("what was not seen for a while is not taken for new, and does not flicker")
        .noneMatch(report -> report.removed().toString().contains("good"));
  }

  @Test
  void aTreeIsTooLargeByBytesAndByDepth() throws IOException {
    start(SMALL);
    write("big.yaml", "#".repeat(20_000));
    await(() -> !problems().isEmpty());
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("files of more than 10000 bytes together, most of them in " + root, "'bytes'");

    Files.delete(root.resolve("big.yaml"));
    await(() -> problems().isEmpty());
    write("1/2/3/4/5/a.yaml", service("a", 1));
    await(() -> !problems().isEmpty());
    assertThat(problems())
        .singleElement()
        .asString()
        .contains("directories deeper than 4 levels in " + root.resolve("1"), "'depth'");
    assertThat(generations()).containsOnlyKeys("good");
  }

  @Test
  void aTreeThatIsTooLargeAtTheStartIsNotTakenForAnEmptyOne() throws IOException {
    for (int i = 0; i < 40; i++) {
      write("big/" + i + ".txt", "");
    }
    start(SMALL);
    assertThat(objects).isEmpty();
    assertThat(last().complete()).isFalse();
    assertThat(problems()).hasSize(1);

    for (int i = 0; i < 40; i++) {
      Files.delete(root.resolve("big/" + i + ".txt"));
    }
    await(() -> !objects.isEmpty());
    assertThat(reports)
        .as("a report without the objects never says that it is complete")
        .allMatch(report -> !report.complete() || !report.added().isEmpty());
  }

  @Test
  void aTreeOutOfSightComesBackAsItWas() throws IOException {
    start(TreeLimits.defaults());
    Files.move(root, outside.resolve("away"));
    await(() -> !problems().isEmpty());
    Files.move(outside.resolve("away"), root);
    await(() -> problems().isEmpty());

    assertThat(reports).allMatch(report -> report.removed().isEmpty());
  }

  private void start(TreeLimits limits) {
    FileSource source =
        new FileSource(
            root,
            limits,
            Generations.inMemory(),
            WatchTimings.defaults(),
            new Env(executor, time, new Random(1)));
    sources.add(source);
    objects.clear();
    source.start(
        changes -> {
          reports.add(changes);
          changes.removed().forEach(objects::remove);
          objects.putAll(changes.added());
          objects.putAll(changes.changed());
        });
    executor.runAll();
  }

  /** An edit elsewhere in the tree arrives. */
  private void editOf(String name, long generation) throws IOException {
    Path next = outside.resolve("next");
    Files.writeString(next, service(name, 4711));
    Files.move(
        next,
        root.resolve(name + ".yaml"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    await(() -> generations().getOrDefault(name, 0L) == generation);
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, text);
  }

  private void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("60 s passed; last told: %s", last()).isLessThan(deadline);
      time.advance(Duration.ofMillis(20), executor::runAll);
      Thread.onSpinWait();
    }
  }

  private ObjectChanges last() {
    return reports.get(reports.size() - 1);
  }

  private List<String> problems() {
    return last().problems().stream().map(LocatedProblem::toString).toList();
  }

  private Map<String, Long> generations() {
    Map<String, Long> generations = new TreeMap<>();
    objects.forEach((key, object) -> generations.put(key.name(), object.generation()));
    return generations;
  }
}
