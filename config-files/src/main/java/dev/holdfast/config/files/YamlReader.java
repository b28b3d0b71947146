// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.Position;
import dev.holdfast.config.Value;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads YAML 1.2 (core schema) and JSON into values that know their places. Any input ends in
 * values or problems, within bounded memory: size, depth and the number of values after expansion
 * of aliases are limited.
 */
public final class YamlReader {
  /** The most bytes that a file may have. */
  public static final int MOST_BYTES = 8 << 20;

  private YamlReader() {}

  /**
   * Reads a file's content.
   *
   * @param source the name of the file in positions; one that ends in {@code .json} is read as JSON
   * @param content its bytes
   */
  public static Documents read(String source, byte[] content) {
    ProblemCollector findings = new ProblemCollector();
    if (content.length > MOST_BYTES) {
      findings.invalid(
          FieldPath.ROOT,
          Position.of(source),
          "size: " + content.length + " bytes (expected: at most " + MOST_BYTES + ")");
      return new Documents(List.of(), findings.list(), false);
    }
    String text = YamlText.decode(source, content, findings);
    if (text == null || !YamlText.check(source, text, findings)) {
      return new Documents(List.of(), findings.list(), false);
    }
    boolean json = source.toLowerCase(Locale.ROOT).endsWith(".json");
    return read(source, json ? YamlText.jsonAsYaml(text) : text, findings);
  }

  private static Documents read(String source, String text, ProblemCollector findings) {
    List<Value> documents = new ArrayList<>();
    boolean whole = true;
    try {
      Iterator<Event> events = new Parse(settings(text)).parseString(text).iterator();
      DocumentBuilder builder = new DocumentBuilder(source, events, findings);
      while (builder.skipToDocument()) {
        int before = findings.count();
        Value document = builder.document();
        if (findings.count() == before) {
          documents.add(document);
        }
      }
    } catch (DocumentBuilder.LimitException e) {
      findings.invalid(FieldPath.ROOT, e.where, e.problem);
      whole = false;
    } catch (MarkedYamlEngineException e) {
      findings.undecodable(position(source, e), describe(e.getProblem(), e.getContext()));
      whole = false;
    } catch (YamlEngineException e) {
      findings.undecodable(Position.of(source), describe(e.getMessage(), null));
      whole = false;
    }
    return new Documents(documents, findings.list(), whole);
  }

  /**
   * The parser's window is the whole text: with a smaller one it copies what it has of a token each
   * time it needs more of it, which for a long line takes minutes.
   */
  private static LoadSettings settings(String text) {
    return LoadSettings.builder()
        .setCodePointLimit(MOST_BYTES + 1)
        .setBufferSize(Math.max(1, text.length()) + 1)
        .setUseMarks(true)
        .build();
  }

  private static Position position(String source, MarkedYamlEngineException e) {
    Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
    return mark.map(m -> new Position(source, m.getLine() + 1, m.getColumn() + 1))
        .orElseGet(() -> Position.of(source));
  }

  private static String describe(@Nullable String problem, @Nullable String context) {
    StringBuilder text = new StringBuilder("not YAML: ");
    text.append(problem == null ? "cannot be parsed" : oneLine(problem));
    if (context != null && !context.isEmpty()) {
      text.append(" (").append(oneLine(context)).append(')');
    }
    return text.toString();
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
