// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The descriptions of the fields of each kind; {@code descriptions.txt} explains its own format.
 */
final class Descriptions {
  private static final String FOR_ALL = "*";

  /** The description of a field; null where a part is not given. */
  record Description(String meaning, @Nullable String fallback, @Nullable String example) {}

  private final Map<String, String> kinds = new LinkedHashMap<>();
  private final Map<String, Map<String, Description>> fields = new LinkedHashMap<>();
  private final Set<String> used = new LinkedHashSet<>();

  static Descriptions read() {
    try (InputStream in = Descriptions.class.getResourceAsStream("descriptions.txt")) {
      if (in == null) {
        throw new AssertionError("descriptions.txt is not on the class path");
      }
      return parse(new BufferedReader(new InputStreamReader(in, UTF_8)).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Descriptions parse(List<String> lines) {
    Descriptions all = new Descriptions();
    String kind = FOR_ALL;
    String path = "";
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("[")) {
        int end = line.indexOf(']');
        kind = line.substring(1, end);
        all.kinds.put(kind, line.substring(end + 1).strip());
        continue;
      }
      int colon = line.indexOf(':');
      String name = line.substring(0, colon).strip();
      String text = line.substring(colon + 1).strip();
      Map<String, Description> ofKind =
          all.fields.computeIfAbsent(kind, k -> new LinkedHashMap<>());
      if (!line.startsWith(" ")) {
        path = name;
        if (ofKind.put(path, new Description(text, null, null)) != null) {
          throw new AssertionError("[" + kind + "] " + path + ": described twice");
        }
      } else {
        ofKind.computeIfPresent(path, (p, before) -> with(before, name, text));
      }
    }
    return all;
  }

  private static Description with(Description before, String name, String text) {
    return switch (name) {
      case "default" -> new Description(before.meaning(), text, before.example());
      case "example" -> new Description(before.meaning(), before.fallback(), text);
      default -> throw new AssertionError(name + " (expected: default or example)");
    };
  }

  /** The purpose of the kind. */
  String of(ObjectKind kind) {
    return kinds.getOrDefault(kind.kind(), "");
  }

  /** The description under the longest matching path; null if there is none. */
  @Nullable Description of(ObjectKind kind, String path) {
    Description own = longest(kind.kind(), path);
    return own == null ? longest(FOR_ALL, path) : own;
  }

  private @Nullable Description longest(String kind, String path) {
    Map<String, Description> ofKind = fields.getOrDefault(kind, Map.of());
    for (String end = path; ; end = end.substring(end.indexOf('.') + 1)) {
      Description description = ofKind.get(end);
      if (description != null) {
        used.add("[" + kind + "] " + end);
        return description;
      }
      if (end.indexOf('.') < 0) {
        return null;
      }
    }
  }

  /** The descriptions that were never used. */
  List<String> unused() {
    List<String> all = new ArrayList<>();
    fields.forEach((kind, paths) -> paths.keySet().forEach(p -> all.add("[" + kind + "] " + p)));
    all.removeAll(used);
    return all;
  }
}
