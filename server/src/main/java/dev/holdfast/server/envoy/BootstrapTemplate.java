// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.YamlReader;
import dev.holdfast.server.options.StartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What of another Envoy's bootstrap decides how that Envoy judges, but not where it connects and
 * listens.
 *
 * @param fields of the bootstrap, in JSON
 * @param group the value of {@code holdfast_group} in its node metadata; empty if there is none
 */
public record BootstrapTemplate(SortedMap<String, String> fields, String group) {
  public static final BootstrapTemplate NONE =
      new BootstrapTemplate(Collections.emptySortedMap(), "");

  static final String RUNTIME = "layered_runtime";

  /** The fields that are taken over; all others are those of a machine, or of a fleet. */
  public static final List<String> TAKEN =
      List.of(
          "bootstrap_extensions",
          "default_regex_engine",
          "default_socket_interface",
          "inline_headers",
          RUNTIME,
          "overload_manager",
          "typed_dns_resolver_config");

  public BootstrapTemplate {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }

  /**
   * Reads a bootstrap in YAML or JSON.
   *
   * @throws StartException if it cannot be read
   */
  public static BootstrapTemplate read(Path file) throws StartException {
    Documents documents;
    try {
      if (Files.size(file) > YamlReader.MOST_BYTES) {
        throw new StartException(file + ": too large for a bootstrap");
      }
      documents = YamlReader.read(file.toString(), Files.readAllBytes(file));
    } catch (IOException e) {
      throw new StartException(file + ": cannot be read: " + e.getMessage(), e);
    }
    if (!documents.problems().isEmpty()) {
      throw new StartException(documents.problems().get(0).toString());
    }
    if (documents.documents().size() != 1
        || !(documents.documents().get(0) instanceof Mapping bootstrap)) {
      throw new StartException(file + ": no bootstrap (expected: one mapping)");
    }
    SortedMap<String, String> fields = new TreeMap<>();
    for (String name : TAKEN) {
      Value value = bootstrap.get(name);
      if (value != null) {
        fields.put(name, json(value).toString());
      }
    }
    return new BootstrapTemplate(fields, group(bootstrap));
  }

  private static String group(Mapping bootstrap) {
    return bootstrap.get("node") instanceof Mapping node
            && node.get("metadata") instanceof Mapping metadata
            && metadata.get("holdfast_group") instanceof Scalar group
        ? String.valueOf(group.value())
        : "";
  }

  private static JsonElement json(Value value) {
    if (value instanceof Mapping mapping) {
      JsonObject object = new JsonObject();
      mapping.fields().forEach((name, field) -> object.add(name, json(field)));
      return object;
    }
    if (value instanceof Sequence sequence) {
      JsonArray array = new JsonArray();
      sequence.elements().forEach(element -> array.add(json(element)));
      return array;
    }
    Object plain = ((Scalar) value).value();
    if (plain == null) {
      return JsonNull.INSTANCE;
    }
    if (plain instanceof Boolean bool) {
      return new JsonPrimitive(bool);
    }
    return plain instanceof Number number
        ? new JsonPrimitive(number)
        : new JsonPrimitive(plain.toString());
  }
}
