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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes ExtensionPolicies for hosts of a {@link Fleet}. */
public final class Policies {
  private final Map<ObjectKey, Long> generations = new HashMap<>();

  /** A script for all routes of a host; the next generation of it. */
  public ConfigObject of(String name, String target, String script) {
    ObjectKey key = new ObjectKey("ExtensionPolicy", "default", name);
    Map<String, Value> config = new LinkedHashMap<>();
    config.put(
        "@type", scalar("type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute"));
    config.put("sourceCode", mapping(Map.of("inlineString", scalar("-- " + script))));
    Map<String, Value> extension = new LinkedHashMap<>();
    extension.put("name", scalar("envoy.filters.http.lua"));
    extension.put("typedConfig", mapping(config));
    Map<String, Value> spec = new LinkedHashMap<>();
    spec.put("targetRef", mapping(Map.of("name", scalar(target))));
    spec.put("perRoute", new Sequence(List.of(mapping(extension)), Position.of("test")));
    return new ConfigObject(
        key,
        "holdfast.dev/v1alpha1",
        "",
        generations.merge(key, 1L, Long::sum),
        Instant.EPOCH,
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        mapping(Map.of("spec", mapping(spec))));
  }

  private static Mapping mapping(Map<String, Value> fields) {
    return new Mapping(fields, Position.of("test"));
  }

  private static Scalar scalar(Object value) {
    return new Scalar(value, Position.of("test"));
  }
}
