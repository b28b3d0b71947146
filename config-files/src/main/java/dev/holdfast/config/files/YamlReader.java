// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.Position;
import dev.holdfast.config.Value;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.Event;
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
    ProblemCollector collector = new ProblemCollector();
    if (content.length > MOST_BYTES) {
      collector.invalid(
          FieldPath.ROOT,
          Position.of(source),
          "size: " + content.length + " bytes (expected: at most " + MOST_BYTES + ")");
      return new Documents(List.of(), collector.list(), false);
    }
    String text = YamlText.decode(source, content, collector);
    if (text == null || !YamlText.check(source, text, collector)) {
      return new Documents(List.of(), collector.list(), false);
    }
    boolean json = source.toLowerCase(Locale.ROOT).endsWith(".json");
    return read(source, json ? YamlText.jsonAsYaml(text) : text, collector);
  }

  private static Documents read(String source, String text, ProblemCollector collector) {
    List<Value> documents = new ArrayList<>();
    boolean whole = true;
    try {
      Iterator<Event> events = new Parse(settings(text)).parseString(text).iterator();
      DocumentBuilder builder = new DocumentBuilder(source, events, collector);
      while (builder.skipToDocument()) {
        int before = collector.count();
        Value document = builder.document();
        if (collector.count() == before) {
          documents.add(document);
        }
      }
    } catch (DocumentBuilder.LimitException e) {
      collector.invalid(FieldPath.ROOT, e.where, e.problem);
      whole = false;
    } catch (MarkedYamlEngineException e) {
      YamlErrors.report(source, text, e, collector);
      whole = false;
    } catch (YamlEngineException e) {
      collector.undecodable(Position.of(source), "not YAML: " + YamlErrors.oneLine(e.getMessage()));
      whole = false;
    }
    return new Documents(documents, collector.list(), whole);
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
}
