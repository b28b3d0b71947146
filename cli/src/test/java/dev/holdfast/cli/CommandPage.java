// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The page of one command, from what its help says. */
final class CommandPage {
  private static final String EXIT_CODES = "Exit codes: ";

  private final CommandSpec spec;
  private final List<String> lines = new ArrayList<>();

  private CommandPage(CommandSpec spec) {
    this.spec = spec;
  }

  static String of(CommandLine command) {
    CommandPage page = new CommandPage(command.getCommandSpec());
    page.write(command);
    return String.join("\n", page.lines) + "\n";
  }

  private void write(CommandLine command) {
    UsageMessageSpec usage = spec.usageMessage();
    lines.add("# " + spec.qualifiedName());
    paragraphs(usage.header());
    if (usage.customSynopsis().length > 0) {
      code("", List.of(usage.customSynopsis()));
    }
    paragraphs(usage.description());
    subcommands(command);
    arguments(
        "Arguments",
        spec.positionalParameters().stream()
            .map(parameter -> row(parameter, parameter.paramLabel())));
    arguments(
        "Options",
        spec.options().stream()
            .filter(option -> !option.hidden())
            .sorted((a, b) -> a.longestName().compareTo(b.longestName()))
            .map(option -> row(option, names(option))));
    footer(usage.footer());
    lines.add("");
    lines.add("See also [the command line](../cli.md).");
  }

  private static String plain(String text) {
    return text.replace("%n", "").replace("%%", "%").strip();
  }

  private void paragraphs(String[] texts) {
    for (String text : texts) {
      lines.add("");
      lines.add(plain(text));
    }
  }

  private void code(String language, List<String> code) {
    lines.add("");
    lines.add("```" + language);
    lines.addAll(code);
    lines.add("```");
  }

  private void subcommands(CommandLine command) {
    if (command.getSubcommands().isEmpty()) {
      return;
    }
    lines.addAll(List.of("", "| command | |", "|---|---|"));
    command
        .getSubcommands()
        .forEach(
            (name, inner) -> {
              String[] header = inner.getCommandSpec().usageMessage().header();
              lines.add(
                  "| [%s](%s) | %s |"
                      .formatted(name, fileName(inner), plain(String.join(" ", header))));
            });
  }

  /** Relative to the other pages. */
  static String fileName(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-") + ".md";
  }

  private void arguments(String heading, Stream<String> rows) {
    List<String> all = rows.toList();
    if (!all.isEmpty()) {
      lines.addAll(List.of("", "## " + heading, "", "| | |", "|---|---|"));
      lines.addAll(all);
    }
  }

  private static String row(ArgSpec argument, String label) {
    String described = Arrays.stream(argument.description()).collect(Collectors.joining(" "));
    String initial = String.valueOf(argument.initialValue());
    String text = plain(described.replace("${DEFAULT-VALUE}", initial));
    boolean positional = argument instanceof PositionalParamSpec;
    String repeated = positional && argument.arity().max() > 1 ? "..." : "";
    return "| `"
        + (label + repeated).replace("|", "\\|")
        + "` | "
        + text.replace("|", "\\|")
        + " |";
  }

  private static String names(OptionSpec option) {
    String names = String.join(", ", option.names());
    return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
  }

  /** Headings end with a colon, what stands under them is indented. */
  private void footer(String[] footer) {
    List<String> block = new ArrayList<>();
    for (String raw : footer) {
      String line = raw.replace("%n", "").replace("%%", "%");
      if (line.startsWith("  ")) {
        block.add(line.substring(2));
        continue;
      }
      flush(block);
      if (line.startsWith(EXIT_CODES)) {
        exitCodes(line.substring(EXIT_CODES.length()));
      } else {
        lines.addAll(List.of("", "## " + line.replaceAll(":$", "")));
      }
    }
    flush(block);
  }

  private void flush(List<String> block) {
    if (!block.isEmpty()) {
      code("sh", block);
      block.clear();
    }
  }

  private void exitCodes(String text) {
    lines.addAll(List.of("", "## Exit codes", "", "| | |", "|---|---|"));
    for (String one : text.replaceAll("\\.$", "").split(", (?=[0-9] )", -1)) {
      lines.add("| " + one.charAt(0) + " | " + one.substring(2) + " |");
    }
  }
}
