// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import static dev.holdfast.config.files.Yaml.service;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are written while the tree is read. */
class TornScanTest {
  @TempDir Path root;

  @Test
  void aFileIsNotSeenWithoutOneThatWasWrittenBeforeIt() throws IOException {
    Files.writeString(root.resolve("b.yaml"), service("b", 1));
    AtomicInteger reads = new AtomicInteger();
    DirectoryScan scan =
        new DirectoryScan(
            root,
            TreeLimits.defaults(),
            WatchTimings.defaults(),
            (name, file) -> {
              if (reads.getAndIncrement() == 0) { // a.yaml has been found not to be there
                write("a.yaml", service("a", 1));
                write("b.yaml", service("b", 2) + service("needs-a", 1));
              }
              return FileReader.read(name, file);
            });

    assertThat(scan.scan(Instant.now(), Duration.ZERO).files())
        .containsOnlyKeys(root.resolve("a.yaml").toString(), root.resolve("b.yaml").toString());
  }

  @Test
  void aTreeThatNeverRestsIsReadAllTheSame() throws IOException {
    write("a.yaml", service("a", 1));
    AtomicInteger reads = new AtomicInteger();
    DirectoryScan scan =
        new DirectoryScan(
            root,
            TreeLimits.defaults(),
            WatchTimings.defaults(),
            (name, file) -> {
              write("a.yaml", service("a", 1) + "#".repeat(reads.incrementAndGet()));
              return FileReader.read(name, file);
            });

    assertThat(scan.scan(Instant.now(), Duration.ZERO).files()).hasSize(1);
    assertThat(reads.get()).isBetween(2, 10);
  }

  private void write(String name, String text) {
    try {
      Files.writeString(root.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
