// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.output.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommandReaderTest implements SessionCommand.Handler {
  private final List<String> done = new ArrayList<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void commandsAreCarriedOutInOrder() {
    read("watch cluster größe\ndump\ncancel cluster größe\n");

    assertThat(done).containsExactly("watch cluster/größe", "dump", "cancel cluster/größe");
    assertThat(err.toString(UTF_8)).isEmpty();
  }

  @Test
  void aBadCommandCostsOneLineAndNothingElse() {
    read("dump\nfly\u001b[2J\n\ndump");

    assertThat(done).containsExactly("dump", "dump");
    assertThat(err.toString(UTF_8))
        .isEqualTo(
            "holdfast: command 'fly\\u001b[2J'"
                + " (expected: watch TYPE NAME, cancel TYPE NAME, dump or quit)\n");
    assertThat(out.toString(UTF_8)).isEmpty();
  }

  @Test
  void theEndOfTheInputIsNotTheEndOfTheSession() {
    read("dump");

    assertThat(done).containsExactly("dump").doesNotContain("quit");
  }

  @Test
  void nothingIsReadAfterQuit() {
    read("dump\nquit\ndump\n");

    assertThat(done).containsExactly("dump", "quit");
  }

  private void read(String input) {
    Console console = new Console(new PrintStream(out), new PrintStream(err));
    new CommandReader(new ByteArrayInputStream(input.getBytes(UTF_8)), this, console).run();
  }

  @Override
  public void watch(ResourceKey key) {
    done.add("watch " + key);
  }

  @Override
  public void cancel(ResourceKey key) {
    done.add("cancel " + key);
  }

  @Override
  public void dump() {
    done.add("dump");
  }

  @Override
  public void quit() {
    done.add("quit");
  }
}
