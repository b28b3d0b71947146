// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.output.Style;
import dev.holdfast.testkit.ManualTime;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShellTest {
  private static final Shell.Terminal TERMINAL =
      new Shell.Terminal(/* in= */ true, /* out= */ true);

  @Test
  void aLineIsAsWideAsTheTerminalSays() {
    assertThat(shell(Map.of("COLUMNS", "97"), TERMINAL).width()).isEqualTo(97);
    assertThat(shell(Map.of("COLUMNS", "3"), TERMINAL).width()).isEqualTo(40);
  }

  @Test
  void aLineIsOf120CharactersWhereNobodySays() {
    assertThat(shell(Map.of(), Shell.Terminal.none()).width()).isEqualTo(120);
    assertThat(shell(Map.of("COLUMNS", "wide"), TERMINAL).width()).isEqualTo(120);
  }

  @Test
  void thereIsColourOnlyOnATerminalWhoseUserDoesNotMind() {
    assertThat(shell(Map.of(), TERMINAL).style()).isEqualTo(Style.COLOURED);
    assertThat(shell(Map.of(), Shell.Terminal.none()).style()).isEqualTo(Style.PLAIN);
    assertThat(shell(Map.of("NO_COLOR", "1"), TERMINAL).style()).isEqualTo(Style.PLAIN);
    assertThat(shell(Map.of("TERM", "dumb"), TERMINAL).style()).isEqualTo(Style.PLAIN);
  }

  private static Shell shell(Map<String, String> environment, Shell.Terminal terminal) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    return new Shell(
        InputStream.nullInputStream(), nowhere, nowhere, environment, new ManualTime(), terminal);
  }
}
