// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import com.google.gson.JsonElement;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Yaml;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.Position;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An object that is to be put into the directory.
 *
 * @param verbatim the document as its author wrote it, if it is one in YAML
 * @param value everything that it says
 */
record AppliedObject(ConfigObject object, Optional<String> verbatim, JsonElement value) {

  /** All objects with what is written of them. */
  static List<AppliedObject> of(List<ConfigObject> objects) {
    Map<String, ObjectFile> files = new HashMap<>();
    List<AppliedObject> all = new ArrayList<>();
    for (ConfigObject object : objects) {
      Position place = object.body().position();
      ObjectFile file =
          files.computeIfAbsent(place.source(), name -> ObjectFile.read(Path.of(name)));
      JsonElement value =
          file.value(place)
              .map(ValueJson::json)
              .orElseThrow(() -> new IllegalStateException(place + ": read once, but not twice"));
      Optional<String> verbatim =
          file.block(place)
              .filter(block -> block.kind() == FileLayout.Kind.DOCUMENT && !file.isJson())
              .map(block -> file.text().substring(block.start(), block.end()));
      all.add(new AppliedObject(object, verbatim, value));
    }
    return all;
  }

  /** The ways to write it as a document of its own, the best first. */
  List<String> documents(boolean json) {
    List<String> ways = new ArrayList<>();
    if (json) {
      ways.add(Json.pretty(value) + "\n");
      return ways;
    }
    verbatim.ifPresent(ways::add);
    ways.add(Yaml.of(value) + "\n");
    return ways;
  }

  /** As a value in a List; in YAML on one line, which fits everywhere. */
  String item(boolean json, int indent) {
    return json ? Json.pretty(value).replace("\n", "\n" + " ".repeat(indent)) : Json.line(value);
  }

  /** Whether an object that is there says the same, wherever and however it is written. */
  boolean isSaidBy(ConfigObject other) {
    return object.key().equals(other.key())
        && object.apiVersion().equals(other.apiVersion())
        && object.uid().equals(other.uid())
        && object.created().equals(other.created())
        && object.labels().equals(other.labels())
        && object.annotations().equals(other.annotations())
        && hasBodyOf(other);
  }

  /** Whether the part that makes a generation is the same. */
  boolean hasBodyOf(ConfigObject other) {
    return Digest.of(object.body()).equals(Digest.of(other.body()));
  }
}
