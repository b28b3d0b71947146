// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static dev.holdfast.config.files.Yaml.service;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is being written is not read before it has come to rest. */
class SettleTest {
  private static final Duration STEP = Duration.ofMillis(200);

  @TempDir Path outside;
  private Path root = Path.of("");
  private Duration clock = Duration.ofHours(1);
  private DirectoryScan scan =
      new DirectoryScan(root, TreeLimits.defaults(), WatchTimings.defaults());

  @BeforeEach
  void start() throws IOException {
    root = Files.createDirectory(outside.resolve("tree"));
    scan = new DirectoryScan(root, TreeLimits.defaults(), WatchTimings.defaults());
    write("a.yaml", service("a", 1));
    assertThat(objects(look())).as("the first look waits for nothing").isEqualTo(1);
  }

  @Test
  void aFileThatGrowsIsReadWhenItRests() throws IOException {
    for (int i = 1; i <= 5; i++) {
      append("a.yaml", service("b" + i, 1));
      ScanResult result = look();
      assertThat(objects(result)).as("step %s", i).isEqualTo(1);
      assertThat(result.settling()).isTrue();
      clock = clock.plus(STEP);
    }
    assertThat(objects(look())).isEqualTo(1);
    clock = clock.plus(Duration.ofMillis(500));

    ScanResult result = look();

    assertThat(objects(result)).isEqualTo(6);
    assertThat(result.settling()).isFalse();
  }

  @Test
  void aFileThatNeverRestsIsReadInTheEnd() throws IOException {
    int steps = 0;
    do {
      steps++;
      append("a.yaml", service("b" + steps, 1));
      clock = clock.plus(STEP);
    } while (objects(look()) == 1);

    assertThat(STEP.multipliedBy(steps)).isBetween(Duration.ofSeconds(5), Duration.ofSeconds(6));
  }

  @Test
  void aNewFileIsReadWhenItRests() throws IOException {
    write("b.yaml", service("b", 1));
    ScanResult result = look();
    assertThat(result.files()).hasSize(1);
    assertThat(result.allRead()).as("there may be more objects").isFalse();
    clock = clock.plus(Duration.ofMillis(500));

    result = look();
    assertThat(result.files()).hasSize(2);
    assertThat(result.allRead()).isTrue();
  }

  @Test
  void aFileThatIsRenamedIntoPlaceIsReadAtOnce() throws IOException {
    Path next = outside.resolve("next");
    Files.writeString(next, service("a", 1) + service("b", 1));
    Files.move(next, root.resolve("a.yaml"), StandardCopyOption.ATOMIC_MOVE);

    ScanResult result = look();

    assertThat(objects(result)).isEqualTo(2);
    assertThat(result.settling()).isFalse();
  }

  @Test
  void aFileThatIsDeletedIsGoneAtOnce() throws IOException {
    append("a.yaml", service("b", 1));
    look();
    Files.delete(root.resolve("a.yaml"));

    assertThat(look().files()).isEmpty();
  }

  @Test
  void aDeletionDoesNotOvertakeAnEditThatWasMadeBeforeIt() throws IOException {
    write("user.yaml", service("user", 1));
    clock = clock.plus(STEP);
    look();
    clock = clock.plus(Duration.ofSeconds(1));
    assertThat(look().files()).containsOnlyKeys(name("a.yaml"), name("user.yaml"));

    write("user.yaml", service("user", 22));
    look();
    clock = clock.plus(STEP);
    Files.delete(root.resolve("a.yaml"));
    ScanResult meanwhile = look();
    assertThat(meanwhile.files()).containsOnlyKeys(name("a.yaml"), name("user.yaml"));
    assertThat(meanwhile.settling()).isTrue();
    clock = clock.plus(Duration.ofMillis(300));

    ScanResult result = look();

    assertThat(result.files()).containsOnlyKeys(name("user.yaml"));
    assertThat(result.settling()).isFalse();
  }

  @Test
  void aRenamedFileDoesNotOvertakeAnEditThatIsSeenWithIt() throws IOException {
    append("a.yaml", service("b", 1));
    Path next = outside.resolve("next");
    Files.writeString(next, service("c", 1));
    Files.move(next, root.resolve("c.yaml"), StandardCopyOption.ATOMIC_MOVE);
    assertThat(look().files()).containsOnlyKeys(name("a.yaml"));
    clock = clock.plus(Duration.ofMillis(500));

    assertThat(objects(look())).isEqualTo(3);
  }

  @Test
  void anEditThatRestsDoesNotWaitForLaterOnes() throws IOException {
    append("a.yaml", service("b", 1));
    look();
    for (int i = 0; i < 3; i++) {
      clock = clock.plus(STEP);
      write("later.yaml", service("later", i));
      look();
    }

    assertThat(objects(look())).isEqualTo(2);
  }

  @Test
  void aFileThatIsDeletedWhileItWaitsAndComesBackIsReadWhenItRests() throws IOException {
    append("a.yaml", service("b", 1));
    write("c.yaml", service("c", 1));
    look();
    Files.delete(root.resolve("a.yaml"));
    assertThat(objects(look())).isEqualTo(1);
    write("a.yaml", service("a", 3));
    assertThat(objects(look())).isEqualTo(1);
    clock = clock.plus(Duration.ofMillis(500));

    assertThat(objects(look())).isEqualTo(2);
    Files.delete(root.resolve("a.yaml"));
    assertThat(look().files()).containsOnlyKeys(name("c.yaml"));
  }

  private String name(String file) {
    return root.resolve(file).toString();
  }

  private ScanResult look() {
    return scan.scan(Instant.now(), clock);
  }

  private static int objects(ScanResult result) {
    return result.files().values().stream().mapToInt(file -> file.objects().size()).sum();
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text);
  }

  private void append(String name, String text) throws IOException {
    Files.writeString(root.resolve(name), text, StandardOpenOption.APPEND);
  }
}
