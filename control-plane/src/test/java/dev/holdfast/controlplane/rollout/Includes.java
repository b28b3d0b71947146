// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes HTTPProxies for a {@link Fleet} of which one has a part only if another includes it. */
final class Includes {
  private Includes() {}

  /** A generation of a host that includes another object. */
  static ConfigObject root(String name, long generation, String body, String included) {
    Map<String, Value> spec = new LinkedHashMap<>();
    spec.put("virtualhost", mapping(Map.of("fqdn", scalar(name + ".example.com"))));
    Map<String, Value> include = new LinkedHashMap<>();
    include.put("name", scalar(included));
    include.put("conditions", prefix("/" + included));
    spec.put("includes", list(mapping(include)));
    spec.put("routes", list(route(name, body)));
    return proxy(name, generation, spec);
  }

  /** A generation of an object that serves nothing by itself. */
  static ConfigObject child(String name, long generation, String body) {
    return proxy(name, generation, Map.of("routes", list(route(name, body))));
  }

  private static Value route(String name, String body) {
    Map<String, Value> response = new LinkedHashMap<>();
    response.put("statusCode", scalar(200L));
    response.put("body", scalar(name + ":" + body + ";"));
    return mapping(Map.of("directResponsePolicy", mapping(response)));
  }

  private static Value prefix(String path) {
    return list(mapping(Map.of("prefix", scalar(path))));
  }

  private static ConfigObject proxy(String name, long generation, Map<String, Value> spec) {
    return new ConfigObject(
        new ObjectKey("HTTPProxy", "default", name),
        "projectcontour.io/v1",
        "",
        generation,
        Instant.EPOCH,
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        mapping(Map.of("spec", mapping(spec))));
  }

  private static Value list(Value element) {
    return new Sequence(List.of(element), Position.of("test"));
  }

  private static Mapping mapping(Map<String, Value> fields) {
    return new Mapping(fields, Position.of("test"));
  }

  private static Scalar scalar(Object value) {
    return new Scalar(value, Position.of("test"));
  }
}
