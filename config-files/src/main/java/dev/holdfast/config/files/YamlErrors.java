// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.Position;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * Says in plain words what is wrong with a text that is not YAML. The parser speaks of tokens and
 * blocks; most of its errors are a few mistakes that people make: tabs, indentation, quotes.
 */
final class YamlErrors {
  private static final Pattern FORBIDDEN_START =
      Pattern.compile("found character '(.)' that cannot start any token.*", Pattern.DOTALL);

  private final String source;
  private final List<String> lines;
  private final String problem;
  private final String context;
  private final @Nullable Mark at;
  private final @Nullable Mark began;

  private YamlErrors(String source, String text, MarkedYamlEngineException e) {
    this.source = source;
    this.lines = text.lines().toList();
    this.problem = oneLine(e.getProblem());
    this.context = oneLine(e.getContext());
    this.at = orNull(e.getProblemMark());
    this.began = orNull(e.getContextMark());
  }

  private static @Nullable Mark orNull(Optional<Mark> mark) {
    return mark.isPresent() ? mark.get() : null;
  }

  /** Reports the error at the place where its author can fix it. */
  static void report(
      String source, String text, MarkedYamlEngineException e, ProblemCollector collector) {
    YamlErrors error = new YamlErrors(source, text, e);
    collector.undecodable(error.position(), "not YAML: " + error.message());
  }

  static String oneLine(@Nullable String text) {
    return text == null ? "" : text.strip().replaceAll("\\s+", " ");
  }

  /** Where something began that never ends, else where the parser gave up. */
  private Position position() {
    boolean atBeginning = began != null && (isOpenQuote() || isLineWithoutColon());
    Mark mark = atBeginning || at == null ? began : at;
    return mark == null
        ? Position.of(source)
        : new Position(source, mark.getLine() + 1, mark.getColumn() + 1);
  }

  private boolean isOpenQuote() {
    return context.contains("quoted scalar");
  }

  private boolean isLineWithoutColon() {
    return problem.startsWith("could not find expected ':'");
  }

  private String message() {
    if (problem.contains("\\t(TAB)")) {
      return "a tab in the indentation (expected: spaces)";
    }
    Matcher start = FORBIDDEN_START.matcher(problem);
    if (start.matches()) {
      return "a text that begins with " + start.group(1) + " (expected: the text in quotes)";
    }
    if (context.contains("scanning an alias") || context.contains("scanning an anchor")) {
      return "a text that begins with "
          + (context.contains("alias") ? "*" : "&")
          + " (expected: the text in quotes)";
    }
    if (isOpenQuote()) {
      return "a quote that is never closed";
    }
    if (isLineWithoutColon()) {
      return "a line without a colon (expected: KEY: VALUE)";
    }
    if (context.contains("parsing a flow")) {
      String open = context.contains("sequence") ? "[" : "{";
      return "after the "
          + open
          + place(began)
          + ", "
          + problem.replaceFirst(".*but got ", "unexpected ")
          + " (expected: a comma, or "
          + (open.equals("[") ? "]" : "}")
          + ")";
    }
    if (problem.startsWith("mapping values are not allowed here")) {
      return secondColon();
    }
    if (problem.startsWith("expected <block end>")) {
      return blockEnd();
    }
    return problem + (context.isEmpty() ? "" : " (" + context + ")");
  }

  private static String place(@Nullable Mark mark) {
    return mark == null
        ? ""
        : " in line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
  }

  /** A colon after a text that cannot be a key: too deep, or a second one in its line. */
  private String secondColon() {
    String line = line();
    String before = at == null ? "" : line.substring(0, Math.min(at.getColumn(), line.length()));
    return before.matches(".*:\\s.*")
        ? "a second colon in one line (expected: quotes around a text that contains \": \")"
        : indentation();
  }

  /** Something that does not belong to the block that it stands in. */
  private String blockEnd() {
    String line = line();
    boolean first =
        at != null && line.substring(0, Math.min(at.getColumn(), line.length())).isBlank();
    if (!first) {
      return "a text after the end of a value (expected: one value, in quotes as a whole)";
    }
    return problem.endsWith("'?'")
        ? "a key among the elements of a list (expected: \"- \" before it, or more or fewer spaces)"
        : indentation();
  }

  private String indentation() {
    String fitting = levels().stream().map(String::valueOf).collect(Collectors.joining(" or "));
    return "wrong indentation: "
        + indentOf(line())
        + " spaces"
        + (fitting.isEmpty() ? "" : " (expected: " + fitting + ", as in the lines above)");
  }

  private String line() {
    return at == null || at.getLine() >= lines.size() ? "" : lines.get(at.getLine());
  }

  /** How far those lines are indented that the line may continue. */
  private List<Integer> levels() {
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; at != null && i < at.getLine() && i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("---")) {
        open.clear();
      } else if (!line.isBlank() && !line.strip().startsWith("#")) {
        push(open, line);
      }
    }
    List<Integer> levels = new ArrayList<>(open);
    levels.sort(null);
    levels.remove(Integer.valueOf(indentOf(line())));
    return levels;
  }

  /** An element of a list opens two levels: that of its dash, and that of what follows. */
  private static void push(Deque<Integer> open, String line) {
    int indent = indentOf(line);
    String rest = line.substring(indent);
    open.removeIf(level -> level > indent);
    if (!open.contains(indent)) {
      open.add(indent);
    }
    if (rest.startsWith("- ")) {
      open.add(indent + 1 + indentOf(rest.substring(1)));
    }
  }

  private static int indentOf(String line) {
    int indent = 0;
    while (indent < line.length() && line.charAt(indent) == ' ') {
      indent++;
    }
    return indent;
  }
}
