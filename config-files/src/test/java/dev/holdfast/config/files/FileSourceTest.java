// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static dev.holdfast.config.files.Yaml.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A tree that changes under a source. Time is moved by hand; what the file system has to tell comes
 * when it comes, so tests move time until it did.
 */
class FileSourceTest {
  private static final Duration FAR = Duration.ofDays(10_000);

  @TempDir Path outside;
  private Path root = Path.of("");
  private final ManualTime time = new ManualTime();
  private final ManualExecutor executor = new ManualExecutor();
  private final Env env = new Env(executor, time, new Random(1));
  private final List<ObjectChanges> reports = new ArrayList<>();
  private final Map<ObjectKey, ConfigObject> objects = new TreeMap<>();
  private final List<FileSource> sources = new ArrayList<>();

  @BeforeEach
  void makeRoot() throws IOException {
    root = Files.createDirectory(outside.resolve("tree"));
  }

  @AfterEach
  void nothingIsLeftBehind() {
    sources.forEach(FileSource::close);
    executor.runAll();
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void theFirstReportComesEvenIfThereIsNothing() {
    start(FAR);

    assertThat(reports).hasSize(1);
    assertThat(last().hasNoObjectChanges()).isTrue();
    assertThat(last().problems()).isEmpty();
  }

  @Test
  void whatIsAddedChangedAndRemovedIsTold() throws IOException {
    write("a.yaml", service("a", 1) + service("b", 1));
    start(FAR);
    assertThat(last().added().keySet()).extracting(ObjectKey::name).containsExactly("a", "b");

    write("a.yaml", service("a", 1) + service("b", 22));
    write("c.yaml", service("c", 1));
    awaitReports(2);
    assertThat(last().added().keySet()).extracting(ObjectKey::name).containsExactly("c");
    assertThat(last().changed().values())
        .extracting(object -> object.key().name() + " " + object.generation())
        .containsExactly("b 2");

    Files.delete(root.resolve("a.yaml"));
    awaitReports(3);
    assertThat(last().removed()).extracting(ObjectKey::name).containsExactly("a", "b");
    assertThat(last().added()).isEmpty();
    assertThat(last().changed()).isEmpty();
  }

  @Test
  void aFileThatIsHalfWrittenKeepsItsObjectsUntilItIsWhole() throws IOException {
    write("a.yaml", service("a", 1));
    write("b.yaml", service("b", 1));
    start(FAR);

    write("a.yaml", service("a", 22) + "---\nmetadata: {");
    write("b.yaml", service("b", 22));
    awaitReports(2);
    assertThat(generations()).containsExactly(Map.entry("a", 1L), Map.entry("b", 2L));
    assertThat(last().problems())
        .extracting(problem -> problem.position().source())
        .containsExactly(root.resolve("a.yaml").toString());

    write("a.yaml", "");
    awaitReports(3);
    assertThat(generations()).containsEntry("a", 1L);
    assertThat(last().problems()).extracting(LocatedProblem::toString).hasSize(1);

    write("a.yaml", service("a", 333));
    awaitReports(4);
    assertThat(generations()).containsEntry("a", 2L);
    assertThat(last().problems()).isEmpty();
  }

  @Test
  void whatIsSaidInOtherWordsKeepsItsGeneration() throws IOException {
    write("a.yaml", service("a", 1));
    start(FAR);
    write("a.yaml", "# a comment\n" + service("a", 1));
    awaitReports(2);

    assertThat(last().changed().values())
        .extracting(object -> object.generation() + " " + object.body().position().line())
        .containsExactly("1 3");
  }

  @Test
  void aTouchIsNotWorthAReport() throws IOException {
    write("a.yaml", service("a", 1));
    start(FAR);
    write("a.yaml", service("a", 1));
    write("note.txt", "nothing");
    write("b.yaml", service("b", 1));
    awaitReports(2);

    assertThat(last().changed()).isEmpty();
    assertThat(last().added()).hasSize(1);
  }

  @Test
  void newDirectoriesAreWatchedToo() throws IOException {
    start(FAR);
    write("x/y/a.yaml", service("a", 1));
    awaitReports(2);
    write("x/y/b.yaml", service("b", 1));
    awaitReports(3);
    Files.move(root.resolve("x"), root.resolve("z"));
    awaitReports(4);
    write("z/y/b.yaml", service("b", 22));
    awaitReports(5);

    assertThat(generations()).containsExactly(Map.entry("a", 1L), Map.entry("b", 2L));
    assertThat(last().problems()).isEmpty();
  }

  @Test
  void aVolumeThatIsSwappedByALinkIsOneChange() throws IOException {
    write("..v1/a.yaml", service("a", 1));
    write("..v1/b.yaml", service("b", 1));
    write("..v2/a.yaml", service("a", 22));
    write("..v2/b.yaml", service("b", 22));
    Files.createSymbolicLink(root.resolve("..data"), Path.of("..v1"));
    Files.createSymbolicLink(root.resolve("a.yaml"), Path.of("..data", "a.yaml"));
    Files.createSymbolicLink(root.resolve("b.yaml"), Path.of("..data", "b.yaml"));
    start(FAR);
    Files.createSymbolicLink(root.resolve("..tmp"), Path.of("..v2"));
    Files.move(root.resolve("..tmp"), root.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    awaitReports(2);

    assertThat(last().changed()).hasSize(2);
    assertThat(generations()).containsExactly(Map.entry("a", 2L), Map.entry("b", 2L));
  }

  @Test
  void whatTheSystemDoesNotTellIsFoundByLooking() throws IOException {
    write(".hidden/a.txt", service("a", 1)); // where nobody watches
    Files.createSymbolicLink(root.resolve("a.yaml"), Path.of(".hidden", "a.txt"));
    start(Duration.ofSeconds(15));
    advance(Duration.ofSeconds(1)); // past the second look, which follows any new directory
    write(".hidden/a.txt", service("a", 22));

    advance(Duration.ofSeconds(13));
    assertThat(reports).hasSize(1);
    advance(Duration.ofSeconds(2));
    assertThat(generations()).containsEntry("a", 2L);
  }

  @Test
  void aTreeThatIsOutOfSightKeepsItsObjects() throws IOException {
    write("a.yaml", service("a", 1));
    start(Duration.ofSeconds(15));
    Files.move(root, outside.resolve("away"));
    advance(Duration.ofSeconds(16));
    assertThat(last().hasNoObjectChanges()).isTrue();
    assertThat(last().problems())
        .extracting(LocatedProblem::toString)
        .containsExactly(root + ": directory cannot be read: no such file");

    Files.move(outside.resolve("away"), root);
    advance(Duration.ofSeconds(16));
    assertThat(last().hasNoObjectChanges()).isTrue();
    assertThat(last().problems()).isEmpty();
    assertThat(reports).hasSize(3);

    write("a.yaml", service("a", 22));
    awaitReports(4);
    assertThat(generations()).containsEntry("a", 2L);
  }

  @Test
  void generationsSurviveARestart() throws IOException {
    Generations generations = Generations.inMemory();
    write("a.yaml", service("a", 1));
    start(FAR, generations).close();
    executor.runAll();
    write("a.yaml", service("a", 22));
    start(FAR, generations);
    assertThat(generations()).containsEntry("a", 2L);

    start(FAR, generations);
    assertThat(generations()).containsEntry("a", 2L);
  }

  @Test
  void noChangeCountsWhileGenerationsCannotBeStored() throws IOException {
    Generations inMemory = Generations.inMemory();
    List<String> failures = new ArrayList<>(List.of("disk full"));
    write("a.yaml", service("a", 1));
    start(
        Duration.ofSeconds(15),
        (digests, counted, now) -> {
          if (!failures.isEmpty()) {
            throw new IllegalStateException(failures.remove(0));
          }
          return inMemory.assign(digests, counted, now);
        });
    assertThat(objects).isEmpty();
    assertThat(last().complete()).as("it is not known that there is nothing").isFalse();
    assertThat(last().problems())
        .extracting(LocatedProblem::toString)
        .containsExactly(
            root
                + ": generations cannot be stored: disk full (changes are ignored until the store works)");

    advance(Duration.ofSeconds(16));
    assertThat(generations()).containsExactly(Map.entry("a", 1L));
    assertThat(last().problems()).isEmpty();
  }

  @Test
  void anEditThatCannotBeStoredIsNotedOnItsObjectAndTriedAgainSoon() throws IOException {
    Generations inMemory = Generations.inMemory();
    List<String> full = new ArrayList<>();
    write("a.yaml", service("a", 1) + service("b", 1));
    start(
        FAR,
        (digests, counted, now) -> {
          if (!full.isEmpty()) {
            throw new IllegalStateException(full.get(0));
          }
          return inMemory.assign(digests, counted, now);
        });
    full.add("disk full");
    write("a.yaml", service("a", 22) + service("b", 1));
    awaitReports(2);
    assertThat(generations()).containsExactly(Map.entry("a", 1L), Map.entry("b", 1L));
    assertThat(last().notes()).hasSize(1);
    assertThat(last().notes().values())
        .singleElement()
        .asString()
        .contains(SourceNote.NOT_STORED, "disk full");
    assertThat(last().complete()).isFalse();

    full.clear();
    advance(Duration.ofSeconds(2));
    assertThat(generations()).containsEntry("a", 2L);
    assertThat(last().notes()).isEmpty();
    assertThat(last().complete()).isTrue();
  }

  @Test
  void aListenerThatThrowsIsToldTheNextTimeAllTheSame() throws IOException {
    List<Throwable> uncaught = new ArrayList<>();
    Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
    try {
      FileSource source = source(FAR, Generations.inMemory());
      source.start(
          changes -> {
            reports.add(changes);
            throw new IllegalStateException("listener");
          });
      executor.runAll();
      write("a.yaml", service("a", 1));
      awaitReports(2);
    } finally {
      Thread.currentThread().setUncaughtExceptionHandler(null);
    }

    assertThat(uncaught).hasSize(2);
  }

  @Test
  void aSourceThatIsClosedSaysNothingAndHasNoTimer() throws IOException {
    FileSource source = start(FAR);
    source.close();
    source.close();
    executor.runAll();
    write("a.yaml", service("a", 1));
    advance(Duration.ofMinutes(1));

    assertThat(reports).hasSize(1);
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void aSourceStartsOnce() {
    FileSource source = start(FAR);

    assertThatIllegalStateException()
        .isThrownBy(() -> source.start(changes -> {}))
        .withMessageEndingWith("started twice (expected: once)");
  }

  @Test
  void aCopyDoesNotTakeThePlaceOfWhatIsThereNotEvenAfterARestart() throws IOException {
    Generations generations = Generations.inMemory();
    write("x.yaml", service("a", 1));
    FileSource before = start(FAR, generations);
    write("00-x.yaml", service("a", 22));
    awaitReports(2);
    assertThat(last().hasNoObjectChanges()).isTrue();
    assertThat(last().notes().values())
        .singleElement()
        .asString()
        .contains("Duplicate", "00-x.yaml", root.resolve("x.yaml").toString());
    before.close();

    start(FAR, generations);

    assertThat(generations()).containsExactly(Map.entry("a", 1L));
    assertThat(last().added().values())
        .extracting(object -> object.body().position().source())
        .containsExactly(root.resolve("x.yaml").toString());
  }

  @Test
  void worksOnRealThreadsAndTime() throws Exception {
    BlockingQueue<ObjectChanges> told = new LinkedBlockingQueue<>();
    try (FileSource source =
        new FileSource(root, Generations.inMemory(), WatchTimings.defaults(), Env.system())) {
      source.start(told::add);
      assertThat(told.poll(60, TimeUnit.SECONDS)).isNotNull();
      write("a.yaml", service("a", 1));
      ObjectChanges changes = told.poll(60, TimeUnit.SECONDS);

      assertThat(changes).isNotNull();
      assertThat(changes.added()).hasSize(1);
    }
  }

  private FileSource start(Duration rescan) {
    return start(rescan, Generations.inMemory());
  }

  private FileSource start(Duration rescan, Generations generations) {
    FileSource source = source(rescan, generations);
    objects.clear();
    source.start(
        changes -> {
          reports.add(changes);
          changes.removed().forEach(objects::remove);
          objects.putAll(changes.added());
          objects.putAll(changes.changed());
        });
    executor.runAll();
    return source;
  }

  private FileSource source(Duration rescan, Generations generations) {
    WatchTimings usual = WatchTimings.defaults();
    FileSource source =
        new FileSource(
            root,
            generations,
            new WatchTimings(usual.tick(), usual.quiet(), usual.patience(), rescan),
            env);
    sources.add(source);
    return source;
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(file, text);
  }

  private void advance(Duration by) {
    time.advance(by, executor::runAll);
  }

  private void awaitReports(int count) {
    await(() -> reports.size() >= count);
    assertThat(reports).hasSize(count);
  }

  private void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("60 s passed").isLessThan(deadline);
      advance(Duration.ofMillis(20));
      Thread.onSpinWait();
    }
  }

  private ObjectChanges last() {
    return reports.get(reports.size() - 1);
  }

  private Map<String, Long> generations() {
    Map<String, Long> generations = new TreeMap<>();
    objects.forEach((key, object) -> generations.put(key.name(), object.generation()));
    return generations;
  }
}
