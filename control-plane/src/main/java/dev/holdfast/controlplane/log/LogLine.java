// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.log;

import static java.util.Collections.unmodifiableMap;

import dev.holdfast.config.ObjectKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line of the log. The text is for people; the fields have the same facts for programs, which
 * find there what the text says in a sentence.
 *
 * @param event what happened, a word that does not change
 * @param fields in the order in which they are written
 * @param cause null if there is no exception
 */
public record LogLine(
    LogArea area,
    Level level,
    String event,
    Map<String, Object> fields,
    String text,
    @Nullable Throwable cause) {
  /** The field with {@link #event()}. */
  public static final String EVENT = "event";

  public static final String NODE = "node";
  public static final String CLASS = "class";
  public static final String RESOURCE = "resource";
  public static final String INCIDENT = "incident";
  public static final String ADDRESS = "address";
  public static final String REASON = "reason";

  private static final String OBJECT = "object";
  private static final String GENERATION = "generation";

  public LogLine {
    fields = unmodifiableMap(new LinkedHashMap<>(fields));
  }

  static LogLine of(LogArea area, Level level, String event) {
    return new LogLine(area, level, event, Map.of(), "", null);
  }

  public LogLine with(String field, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(fields);
    more.put(field, value);
    return new LogLine(area, level, event, more, text, cause);
  }

  public LogLine object(ObjectKey key) {
    return with(OBJECT, key.toString());
  }

  public LogLine object(ObjectKey key, long generation) {
    return object(key).with(GENERATION, generation);
  }

  /** The proxy that it is about. */
  public LogLine node(String id, String proxyClass) {
    return with(NODE, id).with(CLASS, proxyClass);
  }

  public LogLine text(String sentence) {
    return new LogLine(area, level, event, fields, sentence, cause);
  }

  public LogLine cause(Throwable error) {
    return new LogLine(area, level, event, fields, text, error);
  }

  /** Writes the line with this text. */
  public void log(String sentence) {
    text(sentence).log();
  }

  public void log() {
    LoggingEventBuilder line = area.slf4j().atLevel(level).addKeyValue(EVENT, event);
    for (Map.Entry<String, Object> field : fields.entrySet()) {
      line = line.addKeyValue(field.getKey(), field.getValue());
    }
    if (cause != null) {
      line = line.setCause(cause);
    }
    line.log(() -> text);
  }
}
