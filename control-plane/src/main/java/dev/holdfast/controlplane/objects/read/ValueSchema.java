// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a decoder accepts, as far as it can be said of one value alone. */
public sealed interface ValueSchema {

  /** A string; {@code values} is empty if any will do. */
  record Text(@Nullable String pattern, List<String> values) implements ValueSchema {
    static final Text ANY = new Text(null, List.of());
  }

  /** A whole number, both bounds included. */
  record Whole(long min, long max) implements ValueSchema {}

  /** True or false. */
  record Flag() implements ValueSchema {}

  /** A sequence. */
  record Many(ValueSchema element) implements ValueSchema {}

  /** A mapping with these fields, in the order in which the decoder asks for them. */
  record Group(Map<String, Property> properties) implements ValueSchema {
    public Group {
      properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }
  }

  /** A mapping from anything to strings. */
  record Dictionary() implements ValueSchema {}

  /** Whatever is written there is accepted. */
  record Anything() implements ValueSchema {}

  /** A message of Envoy's API, a mapping that says with {@code "@type"} which one. */
  record Typed() implements ValueSchema {}

  /** Known, but not something that Holdfast does. */
  record Refused() implements ValueSchema {}

  /** A field of a group. */
  record Property(ValueSchema shape, Presence presence) {}

  /** Whether a field must be there. */
  enum Presence {
    REQUIRED,
    OPTIONAL
  }

  /**
   * What a decoder accepts, found by letting it read from fields that note what they are asked for.
   * Decoders therefore ask for all their fields whatever the values of the others are.
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

  private static void addPaths(String prefix, ValueSchema shape, List<String> paths) {
    if (shape instanceof Many many) {
      addPaths(prefix + "[]", many.element(), paths);
    } else if (shape instanceof Group group) {
      group
          .properties()
          .forEach(
              (name, property) -> {
                String path = prefix.isEmpty() ? name : prefix + "." + name;
                paths.add(path);
                addPaths(path, property.shape(), paths);
              });
    }
  }
}
