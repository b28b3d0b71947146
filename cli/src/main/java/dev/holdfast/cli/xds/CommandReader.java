// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import dev.holdfast.cli.output.Console;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the commands that come in on a stream, one after the other, until the stream ends or
 * one of them is to quit. A command that cannot be understood costs one line on the error stream
 * and nothing else.
 */
final class CommandReader implements Runnable {
  private final BufferedReader lines;
  private final SessionCommand.Handler handler;
  private final Console console;

  CommandReader(InputStream in, SessionCommand.Handler handler, Console console) {
    this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.handler = handler;
    this.console = console;
  }

  @Override
  public void run() {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (execute(line) instanceof SessionCommand.Quit) {
          return;
        }
      }
    } catch (IOException e) {
      console.note("cannot read further commands: " + e.getMessage());
    }
  }

  private @Nullable SessionCommand execute(String line) {
    try {
      SessionCommand command = SessionCommand.parse(line).orElse(null);
      if (command != null) {
        command.applyTo(handler);
      }
      return command;
    } catch (IllegalArgumentException e) {
      console.note(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      console.note("internal error, please report it: " + line + ": " + e);
    }
    return null;
  }
}
