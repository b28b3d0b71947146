// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a document that nobody else may see: in fields that Envoy's API marks as sensitive,
 * at any depth, and in fields and headers whose names say so. It reads what the author wrote, not
 * the message made of it: a document with a mistake has secrets too.
 */
public final class SensitiveTexts {
  /** Deeper documents are not read by anybody. */
  private static final int DEEPEST = 200;

  /** Names of fields that hold a secret, in whichever spelling. */
  private static final Pattern SECRET_NAME =
      Pattern.compile(
          "(?:.*_)?(?:password|passwd|passphrase|secret|private_?key|api_?key|secret_?key"
              + "|access_?key|token|jwt|hmac|credentials?)");

  /** What such a field holds if it says where the secret is. */
  private static final Pattern HARMLESS_VALUE = Pattern.compile("(?:/|file:|https?:)[^\\s@?]*");

  /** Headers whose values authorise requests. */
  private static final Set<String> SECRET_HEADERS =
      Set.of(
          "authorization",
          "proxy-authorization",
          "cookie",
          "set-cookie",
          "x-api-key",
          "api-key",
          "apikey",
          "x-auth-token",
          "x-access-token");

  /** Fields of a data source that say where the content is, which is no secret. */
  private static final Set<String> LOCATIONS =
      Set.of("filename", "environment_variable", "watched_directory", "name", "@type");

  private final EnvoyTypes types = EnvoyTypes.get();
  private final List<String> found = new ArrayList<>();

  private SensitiveTexts() {}

  /** The sensitive texts of a document, which may contain configurations with {@code "@type"}. */
  public static List<String> of(Value document) {
    SensitiveTexts texts = new SensitiveTexts();
    texts.visit(document, null, 0);
    return texts.found;
  }

  /**
   * @param type of the message that the value spells out; null if it is not known
   */
  private void visit(Value value, @Nullable Descriptor type, int depth) {
    if (depth > DEEPEST) {
      return;
    }
    if (value instanceof Sequence sequence) {
      sequence.elements().forEach(element -> visit(element, type, depth + 1));
    } else if (value instanceof Mapping mapping) {
      Descriptor own = type(mapping, type);
      addHeader(mapping);
      mapping
          .fields()
          .forEach(
              (name, field) -> {
                FieldDescriptor known = own == null ? null : FieldNames.find(own, name);
                if (isSensitive(name, known, field)) {
                  addAll(field, depth + 1);
                } else if (known != null && known.isMapField() && field instanceof Mapping map) {
                  Descriptor element = message(FieldRules.entry(known, "value"));
                  map.fields().values().forEach(each -> visit(each, element, depth + 2));
                } else {
                  visit(field, below(own, known, mapping), depth + 1);
                }
              });
    }
  }

  private @Nullable Descriptor type(Mapping mapping, @Nullable Descriptor expected) {
    return mapping.get(AnyReader.TYPE) instanceof Scalar url && url.value() instanceof String text
        ? types.findByUrl(text)
        : expected;
  }

  /** The type of a field's message; of the content of a TypedStruct, the type that it names. */
  private @Nullable Descriptor below(
      @Nullable Descriptor own, @Nullable FieldDescriptor field, Mapping mapping) {
    if (own != null
        && field != null
        && own.getName().equals("TypedStruct")
        && field.getName().equals("value")) {
      Value url =
          mapping.get("type_url") == null ? mapping.get("typeUrl") : mapping.get("type_url");
      return url instanceof Scalar scalar && scalar.value() instanceof String text
          ? types.findByUrl(text)
          : null;
    }
    return field == null ? null : message(field);
  }

  private static @Nullable Descriptor message(FieldDescriptor field) {
    return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE ? field.getMessageType() : null;
  }

  private static boolean isSensitive(String name, @Nullable FieldDescriptor field, Value value) {
    if (field != null && ApiAnnotations.isSensitive(field)) {
      return true;
    }
    String words = name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    if (!SECRET_NAME.matcher(words.replace('-', '_')).matches()) {
      return false;
    }
    if (value instanceof Mapping mapping) {
      return mapping.fields().keySet().stream().anyMatch(key -> key.startsWith("inline"));
    }
    if (value instanceof Sequence sequence) {
      return sequence.elements().stream().allMatch(element -> element instanceof Scalar);
    }
    return !(value instanceof Scalar scalar
        && scalar.value() instanceof String text
        && HARMLESS_VALUE.matcher(text).matches());
  }

  /** A header with its value, as all of Envoy's and Contour's messages spell it. */
  private void addHeader(Mapping mapping) {
    Value name = mapping.get("key") == null ? mapping.get("name") : mapping.get("key");
    if (name instanceof Scalar scalar
        && scalar.value() instanceof String text
        && SECRET_HEADERS.contains(text.toLowerCase(Locale.ROOT))) {
      Value value = mapping.get("value");
      if (value != null) {
        addAll(value, 0);
      }
    }
  }

  private void addAll(Value value, int depth) {
    if (depth > DEEPEST) {
      return;
    }
    if (value instanceof Sequence sequence) {
      sequence.elements().forEach(element -> addAll(element, depth + 1));
    } else if (value instanceof Mapping mapping) {
      mapping
          .fields()
          .forEach(
              (name, field) -> {
                if (!(LOCATIONS.contains(name) && field instanceof Scalar)) {
                  addAll(field, depth + 1);
                }
              });
    } else if (value instanceof Scalar scalar
        && scalar.value() != null
        && !(scalar.value() instanceof Boolean)) {
      found.add(String.valueOf(scalar.value()));
    }
  }
}
