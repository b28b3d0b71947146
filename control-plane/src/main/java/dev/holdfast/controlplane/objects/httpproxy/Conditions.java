// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Conditions on requests, all of which must hold. */
public record Conditions(Path path, List<HeaderCondition> headers, List<QueryCondition> queries) {
  private static final Path EVERYTHING = new Path(PathKind.PREFIX, "/");
  private static final List<String> PATH_FIELDS = List.of("prefix", "exact", "regex");

  /** How a path is matched. */
  public enum PathKind {
    /** By its first characters, not by segments. */
    PREFIX,
    EXACT,
    REGEX
  }

  /** A condition on the path. */
  public record Path(PathKind kind, String text) {}

  private record One(
      @Nullable Path path, @Nullable HeaderCondition header, @Nullable QueryCondition query) {}

  static Conditions ofRoute(Fields parent) {
    return decode(parent, Conditions::ofRouteOne);
  }

  static Conditions ofInclude(Fields parent) {
    return decode(parent, Conditions::ofIncludeOne);
  }

  private static Conditions decode(Fields parent, Function<Fields, One> decoder) {
    List<One> all = parent.groups("conditions", decoder);
    List<HeaderCondition> headers = new ArrayList<>();
    List<QueryCondition> queries = new ArrayList<>();
    Path path = null;
    for (int i = 0; i < all.size(); i++) {
      One one = all.get(i);
      if (one.path() != null && path != null) {
        parent.invalid("conditions", i, "a second condition on the path (expected: at most one)");
      }
      path = path == null ? one.path() : path;
      if (one.query() != null) {
        queries.add(one.query());
      }
      if (one.header() != null) {
        String contradiction = one.header().contradictionTo(headers);
        if (contradiction != null) {
          parent.invalid("conditions", i, contradiction);
        }
        headers.add(one.header());
      }
    }
    return new Conditions(
        path == null ? EVERYTHING : path, List.copyOf(headers), List.copyOf(queries));
  }

  private static One ofRouteOne(Fields fields) {
    Path prefix = path(fields, "prefix", PathKind.PREFIX);
    Path exact = path(fields, "exact", PathKind.EXACT);
    Path regex = path(fields, "regex", PathKind.REGEX);
    if (regex != null && !TextRules.isRegex(regex.text())) {
      fields.invalid("regex", TextRules.REGEX.problem(regex.text()));
    }
    return one(fields, prefix != null ? prefix : exact != null ? exact : regex);
  }

  private static One ofIncludeOne(Fields fields) {
    Path prefix = path(fields, "prefix", PathKind.PREFIX);
    for (String name : List.of("exact", "regex")) {
      fields.reject(name, "includes are by prefix; exact and regex are for routes");
    }
    return one(fields, prefix);
  }

  private static One one(Fields fields, @Nullable Path path) {
    One one =
        new One(
            path,
            fields.group("header", HeaderCondition::decode),
            fields.group("queryParameter", QueryCondition::decode));
    List<String> given =
        Stream.concat(PATH_FIELDS.stream(), Stream.of("header", "queryParameter"))
            .filter(fields::has)
            .toList();
    if (given.size() != 1) {
      fields.invalid(
          (given.isEmpty() ? "nothing" : String.join(" and ", given))
              + " (expected: exactly one of prefix, exact, regex, header, queryParameter)");
    }
    return one;
  }

  private static @Nullable Path path(Fields fields, String name, PathKind kind) {
    String text = fields.text(name, TextRules.PATH);
    return text == null ? null : new Path(kind, text);
  }
}
