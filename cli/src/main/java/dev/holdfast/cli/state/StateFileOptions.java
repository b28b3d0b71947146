// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.state;

import dev.holdfast.cli.CommandException;
import dev.holdfast.server.StateCopies;
import dev.holdfast.server.options.OptionsFile;
import dev.holdfast.server.options.PartialOptions;
import dev.holdfast.server.options.StartException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which state is meant. */
final class StateFileOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  CommandSpec spec;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description = "The state file, as in 'holdfast serve --state'.")
  @Nullable Path state;

  @Option(
      names = "--directory",
      paramLabel = "DIRECTORY",
      description = "The state of the server of this directory, where 'holdfast serve' keeps it.")
  @Nullable Path directory;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The state of the server with this configuration file.")
  @Nullable Path config;

  /**
   * The state file.
   *
   * @throws CommandException if there cannot be one
   */
  Path file(Map<String, String> environment) {
    if (Stream.of(state, directory, config).filter(Objects::nonNull).count() != 1) {
      throw new ParameterException(
          spec.commandLine(),
          "no state, or several (expected: one of --state, --directory and --config)");
    }
    if (state != null) {
      return state;
    }
    try {
      PartialOptions options =
          config != null
              ? OptionsFile.read(config)
              : PartialOptions.ofDirectory(Objects.requireNonNull(directory));
      return StateCopies.file(options, environment);
    } catch (StartException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  /** What a file has, for people. */
  static String text(StateCopies.Summary summary) {
    return String.format(
        Locale.ROOT,
        "%d %s in force%s, format %d",
        summary.objects(),
        summary.objects() == 1 ? "object" : "objects",
        summary.newest() == null ? "" : ", last change at " + summary.newest(),
        summary.format());
  }
}
