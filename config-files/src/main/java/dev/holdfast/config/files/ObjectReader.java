// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Reads what all kinds of object have in common, and leaves the rest to those who know the kind. A
 * document in which anything of this is wrong gives no object, but all of its problems.
 */
public final class ObjectReader {
  private static final Set<String> NOT_BODY = Set.of("apiVersion", "kind", "metadata", "status");

  private final ProblemCollector findings = new ProblemCollector();
  private final List<ConfigObject> objects = new ArrayList<>();

  private ObjectReader() {}

  /** The object of a document, the objects of a {@code List}, or none for an empty document. */
  public static ReadResult read(Value document) {
    ObjectReader reader = new ObjectReader();
    if (!(document instanceof Scalar scalar && scalar.value() == null)) {
      reader.read(document, FieldPath.ROOT);
    }
    return new ReadResult(reader.objects, reader.findings.list());
  }

  private void read(Value value, FieldPath place) {
    if (!(value instanceof Mapping document)) {
      findings.invalid(
          place,
          value.position(),
          Fields.describe(value) + " (expected: an object with apiVersion, kind and metadata)");
      return;
    }
    Fields fields = new Fields(document, place, findings);
    String apiVersion = fields.requiredString("apiVersion", KubernetesNames::apiVersion);
    String kind = fields.requiredString("kind", KubernetesNames::kind);
    if ("List".equals(kind)) {
      readItems(document, place);
      return;
    }
    int before = findings.count();
    Metadata metadata = Metadata.read(fields);
    if (apiVersion == null || kind == null || metadata == null || findings.count() > before) {
      return;
    }
    ObjectKey key = new ObjectKey(kind, metadata.namespace(), metadata.name());
    objects.add(
        new ConfigObject(
            key,
            apiVersion,
            metadata.uid() == null ? uid(key) : metadata.uid(),
            metadata.generation(),
            metadata.created(),
            metadata.labels(),
            metadata.annotations(),
            body(document)));
  }

  private void readItems(Mapping list, FieldPath place) {
    Value items = list.get("items");
    if (items instanceof Sequence sequence) {
      for (int i = 0; i < sequence.elements().size(); i++) {
        read(sequence.elements().get(i), place.field("items").element(i));
      }
    } else if (!(items instanceof Scalar scalar && scalar.value() == null)) {
      Position where = items == null ? list.position() : items.position();
      findings.invalid(
          place.field("items"), where, Fields.describe(items) + " (expected: a list of objects)");
    }
  }

  /** A file has no identities to give; one that follows from the name is the same everywhere. */
  private static String uid(ObjectKey key) {
    return UUID.nameUUIDFromBytes(key.toString().getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static Mapping body(Mapping document) {
    Map<String, Value> fields = new LinkedHashMap<>(document.fields());
    Map<String, Position> keys = new LinkedHashMap<>(document.keys());
    fields.keySet().removeAll(NOT_BODY);
    keys.keySet().removeAll(NOT_BODY);
    return new Mapping(fields, keys, document.position());
  }
}
