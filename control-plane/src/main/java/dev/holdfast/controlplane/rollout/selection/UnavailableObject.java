// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.ingress.Ingress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes an object that answers every request of the same hosts with 503, for authors who prefer no
 * answer to an outdated one. A proxy that accepted the original accepts this, too.
 */
public final class UnavailableObject {
  private static final long UNAVAILABLE = 503;

  /** No Service can have this name; a route to a missing Service is answered with 503. */
  private static final String NO_SERVICE = "holdfast.closed";

  private UnavailableObject() {}

  /** Whether an object is of a kind that can answer 503. */
  public static boolean canBe(ConfigObject object) {
    return Set.of(HttpProxy.KIND, Ingress.KIND).contains(object.key().kind());
  }

  /** The replacement of an object; null if nothing is to be served. */
  public static @Nullable ConfigObject of(ConfigObject served) {
    if (!(served.body().get("spec") instanceof Mapping spec)) {
      return null;
    }
    Mapping closed = served.key().kind().equals(Ingress.KIND) ? ingress(spec) : proxy(spec);
    if (closed == null) {
      return null;
    }
    Map<String, Value> body = new LinkedHashMap<>(served.body().fields());
    body.put("spec", closed);
    return new ConfigObject(
        served.key(),
        served.apiVersion(),
        served.uid(),
        served.generation(),
        served.created(),
        served.labels(),
        served.annotations(),
        new Mapping(body, served.body().position()));
  }

  private static @Nullable Mapping proxy(Mapping spec) {
    if (spec.get("tcpproxy") != null) {
      return null; // a connection that is not HTTP cannot be answered
    }
    Position at = spec.position();
    Map<String, Value> fields = new LinkedHashMap<>(spec.fields());
    fields.remove("includes");
    Mapping answer = new Mapping(Map.of("statusCode", new Scalar(UNAVAILABLE, at)), at);
    Mapping route = new Mapping(Map.of("directResponsePolicy", answer), at);
    fields.put("routes", new Sequence(List.of(route), at));
    return new Mapping(fields, at);
  }

  private static Mapping ingress(Mapping spec) {
    return (Mapping) withoutServices(spec);
  }

  private static Value withoutServices(Value value) {
    if (value instanceof Sequence sequence) {
      return new Sequence(
          sequence.elements().stream().map(UnavailableObject::withoutServices).toList(),
          value.position());
    }
    if (!(value instanceof Mapping mapping)) {
      return value;
    }
    Map<String, Value> fields = new LinkedHashMap<>();
    mapping
        .fields()
        .forEach(
            (name, field) ->
                fields.put(
                    name,
                    name.equals("service") && field instanceof Mapping service
                        ? renamed(service)
                        : withoutServices(field)));
    return new Mapping(fields, mapping.position());
  }

  private static Mapping renamed(Mapping service) {
    Map<String, Value> fields = new LinkedHashMap<>(service.fields());
    fields.put("name", new Scalar(NO_SERVICE, service.position()));
    return new Mapping(fields, service.position());
  }
}
