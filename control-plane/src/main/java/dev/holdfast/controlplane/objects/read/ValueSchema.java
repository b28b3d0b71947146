// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The schema of a value, as far as it does not depend on other values. */
public sealed interface ValueSchema {

  /** A string; {@code values} is empty if any value is allowed. */
  record Text(@Nullable String pattern, List<String> values) implements ValueSchema {
    static final Text ANY = new Text(null, List.of());
  }

  /** A whole number; both bounds are inclusive. */
  record WholeNumber(long min, long max) implements ValueSchema {}

  /** True or false. */
  record Flag() implements ValueSchema {}

  /** A sequence. */
  record ListOf(ValueSchema element) implements ValueSchema {}

  /** A mapping with these fields, in the order in which the decoder reads them. */
  record Group(Map<String, Property> properties) implements ValueSchema {
    public Group {
      properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }
  }

  /** A mapping from arbitrary keys to strings. */
  record Dictionary() implements ValueSchema {}

  /** Any value. */
  record Anything() implements ValueSchema {}

  /** A message of Envoy's API: a mapping whose {@code "@type"} names the message type. */
  record Typed() implements ValueSchema {}

  /** A known field that Holdfast does not support. */
  record Unsupported() implements ValueSchema {}

  /** A field of a group. */
  record Property(ValueSchema schema, Presence presence) {}

  /** Whether a field is required. */
  enum Presence {
    REQUIRED,
    OPTIONAL
  }

  /**
   * The schema that a decoder accepts, found by running it on fields that record what it reads.
   * Therefore decoders must read all of their fields, whatever the values of other fields are.
   */
  static Group of(Function<Fields, ?> decoder) {
    Map<String, Property> properties = new LinkedHashMap<>();
    Object unused = decoder.apply(Fields.tracing(properties));
    return new Group(properties);
  }

  /** The path of every field, {@code spec.routes[].services[].name}, sorted. */
  default List<String> paths() {
    List<String> paths = new ArrayList<>();
    addPaths("", this, paths);
    return paths.stream().sorted().toList();
  }

  private static void addPaths(String prefix, ValueSchema schema, List<String> paths) {
    if (schema instanceof ListOf many) {
      addPaths(prefix + "[]", many.element(), paths);
    } else if (schema instanceof Group group) {
      group
          .properties()
          .forEach(
              (name, property) -> {
                String path = prefix.isEmpty() ? name : prefix + "." + name;
                paths.add(path);
                addPaths(path, property.schema(), paths);
              });
    }
  }
}
