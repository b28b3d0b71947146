// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.check;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Objects in which every Service leads to one address on this machine, so that nothing that a proxy
 * sends, be it a request or a health check, reaches a backend.
 */
final class SinkEndpoints {
  private static final String SERVICE = "Service";
  private static final String SLICE = "EndpointSlice";
  private static final String PREFIX = "holdfast-sink-";
  private static final Position NOWHERE = Position.of("");

  private SinkEndpoints() {}

  /** Whether an object stands for endpoints: its author has not written it. */
  static boolean isReplaced(ObjectKey key) {
    return key.kind().equals(SLICE);
  }

  /** The objects with one endpoint for each Service, in the place of all others. */
  static SortedMap<ObjectKey, ConfigObject> of(
      SortedMap<ObjectKey, ConfigObject> objects, int sinkPort, boolean externalNames) {
    SortedMap<ObjectKey, ConfigObject> result = new TreeMap<>();
    objects.forEach(
        (key, object) -> {
          if (isReplaced(key)) {
            return;
          }
          ConfigObject kept = object;
          if (key.kind().equals(SERVICE)) {
            ConfigObject slice = slice(object, sinkPort);
            result.put(slice.key(), slice);
            kept = externalNames ? withoutExternalName(object) : object;
          }
          result.put(key, kept);
        });
    return result;
  }

  private static ConfigObject slice(ConfigObject service, int sinkPort) {
    ObjectKey key = service.key();
    List<Value> ports = new ArrayList<>();
    if (service.body().get("spec") instanceof Mapping spec
        && spec.get("ports") instanceof Sequence all) {
      for (Value each : all.elements()) {
        if (each instanceof Mapping port) {
          Map<String, Value> fields = new LinkedHashMap<>();
          if (port.get("name") instanceof Scalar name && name.value() instanceof String text) {
            fields.put("name", scalar(text));
          }
          fields.put("port", scalar((long) sinkPort));
          ports.add(new Mapping(fields, NOWHERE));
        }
      }
    }
    Mapping endpoint =
        new Mapping(
            Map.of("addresses", new Sequence(List.of(scalar("127.0.0.1")), NOWHERE)), NOWHERE);
    Map<String, Value> body = new LinkedHashMap<>();
    body.put("addressType", scalar("IPv4"));
    body.put("ports", new Sequence(ports, NOWHERE));
    body.put("endpoints", new Sequence(List.of(endpoint), NOWHERE));
    SortedMap<String, String> labels = new TreeMap<>();
    labels.put("kubernetes.io/service-name", key.name());
    return new ConfigObject(
        new ObjectKey(SLICE, key.namespace(), PREFIX + key.name()),
        "discovery.k8s.io/v1",
        "",
        service.generation(),
        Instant.EPOCH,
        labels,
        Collections.emptySortedMap(),
        new Mapping(body, NOWHERE));
  }

  /** One with endpoints: what it is a name for must not be asked. */
  private static ConfigObject withoutExternalName(ConfigObject service) {
    if (!(service.body().get("spec") instanceof Mapping spec
        && spec.get("type") instanceof Scalar type
        && "ExternalName".equals(type.value()))) {
      return service;
    }
    Map<String, Value> fields = new LinkedHashMap<>(spec.fields());
    fields.remove("type");
    fields.remove("externalName");
    Map<String, Value> body = new LinkedHashMap<>(service.body().fields());
    body.put("spec", new Mapping(fields, spec.position()));
    return new ConfigObject(
        service.key(),
        service.apiVersion(),
        service.uid(),
        service.generation(),
        service.created(),
        service.labels(),
        service.annotations(),
        new Mapping(body, service.body().position()));
  }

  private static Scalar scalar(@Nullable Object value) {
    return new Scalar(value, NOWHERE);
  }
}
