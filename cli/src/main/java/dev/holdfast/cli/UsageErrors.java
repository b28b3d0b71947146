// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What picocli leaves unsaid of arguments that make no sense: what would have. */
final class UsageErrors {
  private static final String NO_COMMAND = "Missing required subcommand";

  private UsageErrors() {}

  /** In one line, with where to read more. */
  static String text(ParameterException e) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    return what(e, command) + " (see '" + command.qualifiedName() + " --help')";
  }

  private static String what(ParameterException e, CommandSpec command) {
    String message = String.valueOf(e.getMessage());
    boolean isGroup = !command.subcommands().isEmpty();
    if (isGroup && message.equals(NO_COMMAND)) {
      return "no command given" + oneOf(command);
    }
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      List<String> words = unmatched.getUnmatched();
      String first = words.isEmpty() ? "" : "'" + words.get(0) + "': ";
      return first + (isGroup ? "no such command" + oneOf(command) : "one argument too many");
    }
    return message;
  }

  private static String oneOf(CommandSpec command) {
    return command.subcommands().keySet().stream()
        .collect(Collectors.joining(", ", " (expected: one of ", ")"));
  }

  /** Says of what is no number what it should have been. */
  static CommandLine explained(CommandLine commands) {
    ITypeConverter<Integer> integers = text -> number(text, Integer::valueOf);
    ITypeConverter<Long> longs = text -> number(text, Long::valueOf);
    return commands
        .registerConverter(int.class, integers)
        .registerConverter(Integer.class, integers)
        .registerConverter(long.class, longs)
        .registerConverter(Long.class, longs);
  }

  private static <T> T number(String text, ITypeConverter<T> converter) throws Exception {
    try {
      return converter.convert(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + text + "' (expected: a whole number)");
    }
  }
}
