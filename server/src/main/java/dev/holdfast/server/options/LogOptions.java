// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import static java.util.stream.Collectors.joining;

import dev.holdfast.controlplane.log.LogArea;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How the log of a server looks; null is what is not said.
 *
 * @param format text for people, or JSON for programs
 * @param levels from which level on the lines of an area are written
 */
public record LogOptions(@Nullable Format format, @Nullable Levels levels) {
  /** How a line is written. */
  public enum Format {
    TEXT,
    JSON
  }

  /** From which level on lines are written. */
  public enum Level {
    DEBUG,
    INFO,
    WARN,
    ERROR,
    OFF
  }

  /**
   * @param others the level of all areas that are not named; null if that is not said
   */
  public record Levels(@Nullable Level others, SortedMap<LogArea, Level> byArea) {
    public Levels {
      byArea = new TreeMap<>(byArea);
    }
  }

  /** Says nothing. */
  public static LogOptions none() {
    return new LogOptions(null, null);
  }

  LogOptions orElse(LogOptions other) {
    return new LogOptions(
        format == null ? other.format : format, levels == null ? other.levels : levels);
  }

  /**
   * @throws IllegalArgumentException if it is neither {@code text} nor {@code json}
   */
  public static Format format(String text) {
    return word(Format.class, text);
  }

  /**
   * Reads {@code info}, {@code proxies=debug} or {@code warn,proxies=debug,rollout=info}.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static Levels levels(String text) {
    Level others = null;
    Map<LogArea, Level> byArea = new TreeMap<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals >= 0) {
        LogArea area = word(LogArea.class, part.substring(0, equals).strip());
        if (byArea.put(area, word(Level.class, part.substring(equals + 1).strip())) != null) {
          throw new IllegalArgumentException("'" + area.word() + "' twice (expected: once)");
        }
      } else if (others == null) {
        others = word(Level.class, part.strip());
      } else {
        throw new IllegalArgumentException(
            "'" + part.strip() + "' (expected: one level for all areas, then AREA=LEVEL)");
      }
    }
    return new Levels(others, new TreeMap<>(byArea));
  }

  private static <E extends Enum<E>> E word(Class<E> type, String text) {
    for (E value : type.getEnumConstants()) {
      if (value.name().toLowerCase(Locale.ROOT).equals(text)) {
        return value;
      }
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' (expected: one of "
            + Arrays.stream(type.getEnumConstants())
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .collect(joining(", "))
            + ")");
  }
}
