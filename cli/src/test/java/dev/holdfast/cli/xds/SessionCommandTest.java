// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SessionCommandTest {
  private static final ResourceKey KEY = new ResourceKey(TypeAlias.CLUSTER, "a/b c");

  @Test
  void theFourCommandsAreUnderstood() {
    assertThat(SessionCommand.parse("watch cluster a/b c")).contains(new SessionCommand.Watch(KEY));
    assertThat(SessionCommand.parse("cancel cluster a/b c"))
        .contains(new SessionCommand.Cancel(KEY));
    assertThat(SessionCommand.parse("dump")).contains(new SessionCommand.Dump());
    assertThat(SessionCommand.parse("quit")).contains(new SessionCommand.Quit());
  }

  @Test
  void spacesAroundAndBetweenWordsDoNotMatter() {
    assertThat(SessionCommand.parse("  watch \t cluster   a/b c  \r"))
        .contains(new SessionCommand.Watch(KEY));
  }

  @Test
  void anEmptyLineIsNoCommand() {
    assertThat(SessionCommand.parse("")).isEmpty();
    assertThat(SessionCommand.parse("  ")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "help|command 'help' (expected: watch TYPE NAME, cancel TYPE NAME, dump or quit)",
        "watch|watch (expected: watch TYPE NAME)",
        "cancel cluster|cancel cluster (expected: cancel TYPE NAME)",
        "watch clusters a|type 'clusters' (expected: one of listener, route, cluster, endpoint)",
        "dump all|dump all (expected: dump, and nothing else)",
        "quit now please|quit now please (expected: quit, and nothing else)"
      })
  void whatIsNotUnderstoodIsExplained(String line, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SessionCommand.parse(line))
        .withMessage(message);
  }
}
