// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.cli.CommandException;
import dev.holdfast.cli.output.SafeText;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The {@code kubectl} of this machine: {@code $KUBECTL}, else the one on the PATH. It knows every
 * way to log in to a cluster, and people have it.
 */
public final class Kubectl {
  private final String program;
  private final @Nullable String context;

  /**
   * @param context of the kubeconfig; null for the current one
   */
  Kubectl(Map<String, String> environment, @Nullable String context) {
    String chosen = environment.getOrDefault("KUBECTL", "");
    this.program = chosen.isEmpty() ? "kubectl" : chosen;
    this.context = context;
  }

  /**
   * What a run printed.
   *
   * @param exitCode 0 if it did what it should
   * @param out without the last line break
   * @param err the reason of a failure
   */
  public record Run(int exitCode, String out, String err) {
    public boolean succeeded() {
      return exitCode == 0;
    }
  }

  /**
   * Runs it to its end.
   *
   * @throws CommandException with its own words if it fails
   */
  public String run(List<String> arguments) {
    Run run = attempt(arguments);
    if (!run.succeeded()) {
      throw failure(arguments, run.err().isEmpty() ? run.out() : run.err());
    }
    return run.out();
  }

  /** Runs it to its end, which may be a failure. */
  public Run attempt(List<String> arguments) {
    Process process = start(arguments);
    try {
      process.getOutputStream().close();
      CompletableFuture<String> err =
          CompletableFuture.supplyAsync(() -> text(process.getErrorStream()));
      String out = text(process.getInputStream());
      return new Run(process.waitFor(), out, err.join());
    } catch (IOException e) {
      throw new CommandException(program + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new CommandException(program + ": interrupted", e);
    }
  }

  /** Begins a run that the caller ends. */
  Process start(List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(program));
    if (context != null) {
      command.add("--context=" + context);
    }
    command.addAll(arguments);
    try {
      return new ProcessBuilder(command).start();
    } catch (IOException e) {
      throw new CommandException(
          program
              + " cannot be run: "
              + e.getMessage()
              + " (expected: kubectl on the PATH, or its path in KUBECTL)",
          e);
    }
  }

  CommandException failure(List<String> arguments, String reason) {
    return new CommandException(
        "kubectl "
            + String.join(
                " ", arguments.stream().limit(2).filter(word -> !word.startsWith("-")).toList())
            + " failed: "
            + SafeText.text(reason));
  }

  private static String text(InputStream in) {
    try {
      return new String(in.readAllBytes(), UTF_8).stripTrailing();
    } catch (IOException e) {
      return "";
    }
  }
}
