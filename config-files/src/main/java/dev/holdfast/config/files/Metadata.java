// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.base.NearestName;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Value;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What an object's metadata says, with defaults in the place of what it leaves out. */
record Metadata(
    String name,
    String namespace,
    @Nullable String uid,
    long generation,
    Instant created,
    SortedMap<String, String> labels,
    SortedMap<String, String> annotations) {

  /** What authors write. */
  private static final List<String> WRITTEN = List.of("name", "namespace", "labels", "annotations");

  private static final Set<String> KNOWN =
      Set.of(
          "name",
          "namespace",
          "labels",
          "annotations",
          "uid",
          "generation",
          "creationTimestamp",
          // Written by a Kubernetes API server into what it exports; they mean nothing in a file.
          "resourceVersion",
          "managedFields",
          "ownerReferences",
          "finalizers",
          "selfLink");

  /** The metadata of a document; null, with the problems noted, if it is of no use. */
  static @Nullable Metadata read(Fields document) {
    Value value = document.value("metadata");
    FieldPath place = document.place().field("metadata");
    ProblemCollector collector = document.collector();
    if (value == null) {
      collector.required(
          place,
          document.mapping().keyPosition("metadata"),
          "missing (expected: a mapping with at least a name)");
      return null;
    }
    if (!(value instanceof Mapping mapping)) {
      collector.invalid(
          place,
          value.position(),
          Fields.describe(value) + " (expected: a mapping with at least a name)");
      return null;
    }
    Fields fields = new Fields(mapping, place, collector);
    String name = fields.requiredString("name", KubernetesNames::name);
    String namespace = fields.string("namespace", KubernetesNames::namespace);
    String uid = fields.string("uid", KubernetesNames::any);
    long generation = generation(fields);
    Instant created = created(fields);
    SortedMap<String, String> labels =
        fields.strings("labels", KubernetesNames::qualified, KubernetesNames::labelValue);
    SortedMap<String, String> annotations =
        fields.strings("annotations", KubernetesNames::qualified, KubernetesNames::any);
    for (String field : mapping.fields().keySet()) {
      if (!KNOWN.contains(field)) {
        collector.invalid(place.field(field), mapping.keyPosition(field), unknown(field));
      }
    }
    return name == null
        ? null
        : new Metadata(
            name,
            namespace == null ? "default" : namespace,
            uid,
            generation,
            created,
            labels,
            annotations);
  }

  private static long generation(Fields fields) {
    Value value = fields.value("generation");
    if (value == null) {
      return 1;
    }
    if (value instanceof Scalar scalar && scalar.value() instanceof Long number && number >= 1) {
      return number;
    }
    Object written = value instanceof Scalar scalar ? scalar.value() : null;
    fields
        .collector()
        .invalid(
            fields.place().field("generation"),
            value.position(),
            (written instanceof Long ? written.toString() : Fields.describe(value))
                + " (expected: a whole number from 1)");
    return 1;
  }

  private static Instant created(Fields fields) {
    String text = fields.string("creationTimestamp", Metadata::timestampProblem);
    return text == null ? Instant.EPOCH : OffsetDateTime.parse(text).toInstant();
  }

  private static @Nullable String timestampProblem(String text) {
    try {
      OffsetDateTime.parse(text);
      return null;
    } catch (DateTimeException e) {
      return YamlText.shown(text) + " (expected: a time such as 2026-01-31T12:00:00Z)";
    }
  }

  private static String unknown(String field) {
    String near = NearestName.of(field, WRITTEN);
    return near == null
        ? "unknown field (expected: " + String.join(", ", WRITTEN) + ")"
        : "unknown field (did you mean " + near + "?)";
  }
}
