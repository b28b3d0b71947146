// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds everything in a configuration that reaches beyond the requests it is for, at any depth. It
 * looks at what the author wrote rather than at the message, so that it knows the places, and finds
 * the same in a configuration that is not valid.
 */
public final class ReachFinder {
  /** As in {@link ProblemCollector}; what is beyond was not looked at, which is a finding. */
  private static final int MOST_VALUES = 200_000;

  private static final int DEEPEST = 100;

  /** Envoy replaces it in formats, such as the value of a header, by a variable of its process. */
  private static final String ENVIRONMENT_COMMAND = "%ENVIRONMENT(";

  private static final Set<String> TYPED_STRUCTS =
      Set.of("xds.type.v3.TypedStruct", "udpa.type.v1.TypedStruct");

  private final EnvoyTypes types = EnvoyTypes.get();
  private final List<Reach> found = new ArrayList<>();

  /** What the messages around reach: those inside of them are not found once more. */
  private final Deque<Reach.Kind> around = new ArrayDeque<>();

  private int values;

  private ReachFinder() {}

  /**
   * Everything that a configuration reaches, in the order of the document.
   *
   * @param config a mapping with {@code "@type"}
   */
  public static List<Reach> find(Value config) {
    ReachFinder finder = new ReachFinder();
    finder.look(config, null, "", 0);
    return finder.found;
  }

  /**
   * @param type of the message; null if it is not known
   */
  private void look(Value value, @Nullable Descriptor type, String path, int depth) {
    if (++values > MOST_VALUES || depth > DEEPEST) {
      if (values <= MOST_VALUES + 1) {
        add(Reach.Kind.UNKNOWN, "too large", path, value);
      }
      return;
    }
    if (value instanceof Sequence sequence) {
      for (int i = 0; i < sequence.elements().size(); i++) {
        look(sequence.elements().get(i), type, path + "[" + i + "]", depth + 1);
      }
    } else if (value instanceof Mapping mapping) {
      message(mapping, type, path, depth);
    } else if (value instanceof Scalar scalar
        && String.valueOf(scalar.value()).contains(ENVIRONMENT_COMMAND)) {
      add(Reach.Kind.ENVIRONMENT, ENVIRONMENT_COMMAND + ")%", path, value);
    }
  }

  private void message(Mapping mapping, @Nullable Descriptor expected, String path, int depth) {
    Value url = mapping.get(AnyReader.TYPE);
    Descriptor type = url == null ? expected : typed(url, inside(path, AnyReader.TYPE));
    if (url != null && type != null && WellKnownType.of(type) != WellKnownType.NONE) {
      Value content = mapping.get("value");
      if (content != null) {
        look(content, null, inside(path, "value"), depth + 1);
      }
    } else if (type != null && TYPED_STRUCTS.contains(type.getFullName())) {
      typedStruct(mapping, path, depth);
    } else {
      fields(mapping, type, path, depth);
    }
  }

  /** Notes the type that a URL names; null if it is none. */
  private @Nullable Descriptor typed(Value url, String path) {
    String text = text(url);
    Descriptor type = text == null ? null : types.findByUrl(text);
    if (type == null) {
      add(Reach.Kind.UNKNOWN, text == null ? "no type" : text, path, url);
    } else {
      add(Reach.Kind.TYPE, type.getFullName(), path, url);
    }
    return type;
  }

  private void fields(Mapping mapping, @Nullable Descriptor type, String path, int depth) {
    Reach.Kind kind = type == null || isSwitchedOff(mapping, type) ? null : ReachingFields.of(type);
    if (type != null && kind != null) {
      if (!around.contains(kind)) {
        add(kind, type.getFullName(), path, mapping);
      }
      around.push(kind);
    }
    mapping
        .fields()
        .forEach(
            (name, value) -> {
              if (!name.equals(AnyReader.TYPE)) {
                field(type, name, value, inside(path, name), depth);
              }
            });
    if (kind != null) {
      around.pop();
    }
  }

  /** Whether a message does nothing but to switch its filter off. */
  private static boolean isSwitchedOff(Mapping mapping, Descriptor type) {
    return type.getName().endsWith("PerRoute")
        && mapping.get("disabled") != null
        && mapping.fields().keySet().stream()
            .allMatch(name -> name.equals("disabled") || name.equals(AnyReader.TYPE));
  }

  /** Envoy makes the message that it names of it. */
  private void typedStruct(Mapping mapping, String path, int depth) {
    String name = mapping.get("type_url") == null ? "typeUrl" : "type_url";
    Value url = mapping.get(name);
    Descriptor type = url == null ? null : typed(url, inside(path, name));
    Value value = mapping.get("value");
    if (value instanceof Mapping content) {
      fields(content, type, inside(path, "value"), depth + 1);
    }
  }

  private void field(@Nullable Descriptor type, String name, Value value, String path, int depth) {
    FieldDescriptor field = type == null ? null : FieldNames.find(type, name);
    if (field == null || isAbsent(value)) {
      look(value, null, path, depth + 1); // a structure, or a field that does not exist
      return;
    }
    Reach.Kind kind = ReachingFields.of(field);
    if (kind == Reach.Kind.HEADER) {
      headers(value, path);
    } else if (kind != null) {
      add(kind, field.getFullName(), path, value);
    }
    if (field.isMapField()) {
      FieldDescriptor content = FieldRules.entry(field, "value");
      if (value instanceof Mapping entries) {
        entries
            .fields()
            .forEach((key, each) -> look(each, messageOf(content), inside(path, key), depth + 1));
      }
      return;
    }
    look(value, messageOf(field), path, depth + 1);
  }

  private void headers(Value value, String path) {
    if (value instanceof Sequence sequence) {
      for (int i = 0; i < sequence.elements().size(); i++) {
        headers(sequence.elements().get(i), path + "[" + i + "]");
      }
    } else if (value instanceof Scalar scalar
        && scalar.value() instanceof String name
        && !name.isEmpty()) {
      add(Reach.Kind.HEADER, name.toLowerCase(Locale.ROOT), path, value);
    }
  }

  private static boolean isAbsent(Value value) {
    return value instanceof Scalar scalar && scalar.value() == null;
  }

  private static @Nullable Descriptor messageOf(FieldDescriptor field) {
    if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
      return null;
    }
    Descriptor type = field.getMessageType();
    return WellKnownType.of(type) == WellKnownType.NONE ? type : null;
  }

  private static @Nullable String text(Value value) {
    return value instanceof Scalar scalar && scalar.value() instanceof String text ? text : null;
  }

  private static String inside(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private void add(Reach.Kind kind, String what, String path, Value value) {
    found.add(new Reach(kind, what, path, value.position()));
  }
}
