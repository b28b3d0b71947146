// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the annotations of an object. Annotations have no positions of their own; problems get that
 * of the object.
 */
public final class Annotations {
  private static final long UINT32_MAX = 0xffff_ffffL;

  private final ConfigObject object;
  private final DecodingContext context;

  public Annotations(ConfigObject object, DecodingContext context) {
    this.object = object;
    this.context = context;
  }

  /** The text; null if absent. */
  public @Nullable String text(String name) {
    return object.annotations().get(name);
  }

  /** A number that fits into 32 bits; null if absent. */
  public @Nullable Long count(String name) {
    return integer(name, 0, UINT32_MAX);
  }

  /** A whole number; null if absent. */
  public @Nullable Long integer(String name, long min, long max) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    if (text.matches("-?[0-9]{1,18}")) {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    }
    invalid(
        name,
        ValueTypes.quote(text) + " (expected: a whole number from " + min + " to " + max + ")");
    return null;
  }

  /** "true" or "false". */
  public boolean flag(String name, boolean fallback) {
    String text = text(name);
    if (text == null || text.equals("true") || text.equals("false")) {
      return text == null ? fallback : text.equals("true");
    }
    invalid(name, ValueTypes.quote(text) + " (expected: \"true\" or \"false\")");
    return fallback;
  }

  /** A duration, or "infinity". */
  public Timeout timeout(String name) {
    String text = text(name);
    Timeout timeout = text == null ? Timeout.DEFAULT : Timeout.parse(text);
    if (timeout == null) {
      invalid(
          name,
          ValueTypes.quote(String.valueOf(text))
              + " (expected: a duration such as \"1h30m\", or \"infinity\")");
      return Timeout.DEFAULT;
    }
    return timeout;
  }

  /** One of the names of an enum. */
  public <E extends Enum<E> & EnumWord> E enumValue(String name, E fallback) {
    String text = text(name);
    if (text == null) {
      return fallback;
    }
    E[] all = fallback.getDeclaringClass().getEnumConstants();
    for (E word : all) {
      if (word.word().equals(text)) {
        return word;
      }
    }
    String expected = Stream.of(all).map(EnumWord::word).collect(Collectors.joining(", "));
    invalid(name, ValueTypes.quote(text) + " (expected: one of " + expected + ")");
    return fallback;
  }

  /** A comma-separated list, trimmed; empty if absent. */
  public List<String> list(String name) {
    String text = text(name);
    return text == null
        ? List.of()
        : Stream.of(text.split(",")).map(String::trim).filter(item -> !item.isEmpty()).toList();
  }

  /** Reports a problem with an annotation. */
  public void invalid(String name, String message) {
    context.add(
        "metadata.annotations[\"" + name + "\"]",
        Problem.Kind.INVALID,
        message,
        object.body().position());
  }
}
