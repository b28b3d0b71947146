// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** No process outlives the one that started it. */
@Timeout(60)
class ChildProcessTest {
  private static final List<String> LONG = List.of("sleep", "600");

  @TempDir
  @SuppressWarnings("NullAway.Init") // before the first test
  Path directory;

  private Path log() {
    return directory.resolve("log");
  }

  @Test
  void itIsTheProgramItselfThatSignalsReach() throws IOException {
    try (ChildProcess child = ChildProcess.start(LONG, log())) {
      child.signal("KILL");
      assertThat(child.awaitExit()).isEqualTo(128 + 9);
    }
  }

  @Test
  void whatItSaidLastIsKept() throws IOException {
    try (ChildProcess child =
        ChildProcess.start(List.of("sh", "-c", "echo one; echo two >&2; exit 3"), log())) {
      assertThat(child.awaitExit()).isEqualTo(3);
      assertThat(child.lastWords()).containsExactly("one", "two");
    }
  }

  @Test
  void closingEndsIt() throws IOException {
    ChildProcess child = ChildProcess.start(LONG, log());
    child.close();
    assertThat(child.isAlive()).isFalse();
  }

  @Test
  void theEndOfThisProcessEndsItEvenIfItIsFrozen() throws Exception {
    try (ChildProcess child = ChildProcess.start(LONG, log())) {
      ProcessHandle handle = ProcessHandle.of(child.pid()).orElseThrow();
      child.signal("STOP");
      child.abandon();
      assertThat(handle.onExit().get(30, TimeUnit.SECONDS).isAlive()).isFalse();
    }
  }

  @Test
  void onceClosedNoneIsStarted() throws IOException {
    ChildProcesses children = new ChildProcesses();
    ChildProcess child = children.start(LONG, log());
    children.close();
    assertThat(child.isAlive()).isFalse();
    assertThatThrownBy(() -> children.start(LONG, log())).isInstanceOf(IOException.class);
  }
}
