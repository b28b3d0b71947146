// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.source;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.kubernetes.api.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An object as the API server has it.
 *
 * @param object with a generation of 1, which is not yet assigned
 * @param resourceVersion changes with every write, also of the status
 * @param generation the cluster's own, raised with the spec alone; 0 for kinds that have none
 * @param status what stands there as the status; an empty mapping if there is none
 */
record ClusterObject(ConfigObject object, String resourceVersion, long generation, Mapping status) {
  private static final Set<String> NOT_BODY = Set.of("apiVersion", "kind", "metadata", "status");

  /** A copy of the whole object, as kubectl leaves it behind; it may hold a Secret's content. */
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

  /** Reads an object of a kind; null if it lacks what every object has. */
  static @Nullable ClusterObject read(WatchedKind kind, Mapping document) {
    Mapping metadata = Json.mapping(document, "metadata");
    String name = Json.string(metadata, "name");
    String namespace = Json.string(metadata, "namespace");
    String uid = Json.string(metadata, "uid");
    String resourceVersion = Json.string(metadata, "resourceVersion");
    if (name.isEmpty() || namespace.isEmpty() || uid.isEmpty()) {
      return null;
    }
    ObjectKey key = new ObjectKey(kind.kind(), namespace, name);
    Position position = Position.of(kind.plural() + "/" + namespace + "/" + name);
    SortedMap<String, String> annotations = strings(metadata, "annotations");
    annotations.remove(LAST_APPLIED);
    ConfigObject object =
        new ConfigObject(
            key,
            kind.apiVersion(),
            uid,
            1,
            created(metadata),
            strings(metadata, "labels"),
            annotations,
            body(document, position));
    return new ClusterObject(
        object,
        resourceVersion,
        Json.number(metadata, "generation"),
        Json.mapping(document, "status"));
  }

  private static SortedMap<String, String> strings(Mapping metadata, String field) {
    SortedMap<String, String> strings = new TreeMap<>();
    Mapping mapping = Json.mapping(metadata, field);
    mapping.fields().keySet().forEach(name -> strings.put(name, Json.string(mapping, name)));
    return strings;
  }

  private static Instant created(Mapping metadata) {
    try {
      return OffsetDateTime.parse(Json.string(metadata, "creationTimestamp")).toInstant();
    } catch (DateTimeException e) {
      return Instant.EPOCH;
    }
  }

  private static Mapping body(Mapping document, Position position) {
    Map<String, Value> fields = new LinkedHashMap<>();
    document
        .fields()
        .forEach(
            (name, value) -> {
              if (!NOT_BODY.contains(name)) {
                fields.put(name, at(value, position));
              }
            });
    return new Mapping(fields, position);
  }

  /** The same value at another place. */
  private static Value at(Value value, Position position) {
    if (value instanceof Mapping mapping) {
      Map<String, Value> fields = new LinkedHashMap<>();
      mapping.fields().forEach((name, field) -> fields.put(name, at(field, position)));
      return new Mapping(fields, position);
    }
    if (value instanceof Sequence sequence) {
      List<Value> elements = new ArrayList<>();
      sequence.elements().forEach(element -> elements.add(at(element, position)));
      return new Sequence(elements, position);
    }
    return new Scalar(((Scalar) value).value(), position);
  }

  /**
   * Whether this is older than another state of the same object. Versions are opaque by contract,
   * and numbers in every API server there is.
   */
  boolean isOlderThan(ClusterObject other) {
    if (!object.uid().equals(other.object.uid())) {
      return false;
    }
    try {
      return Long.parseLong(resourceVersion) < Long.parseLong(other.resourceVersion);
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
