// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.snapshot.Place;
import dev.holdfast.controlplane.snapshot.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whom the text of a rejection points at. A hint saves trials if it is right and costs one if it is
 * wrong; nothing else depends on it.
 */
final class Hints {
  private static final Pattern HOST_INDEX = Pattern.compile("VirtualHosts\\[(\\d+)\\]");
  private static final Pattern ROUTE_INDEX = Pattern.compile("Routes\\[(\\d+)\\]");

  /** What authors write that says nothing, because many write it. */
  private static final int SHORTEST = 5;

  private static final int MOST_LITERALS = 10_000;

  private Hints() {}

  /** Those of some units that the text points at. */
  static List<Unit> of(String message, Resource refused, List<Unit> suspects) {
    Set<ObjectKey> named = byIndex(message, refused);
    List<Unit> hinted = new ArrayList<>();
    for (Unit unit : suspects) {
      boolean byPlace = named.stream().anyMatch(unit::contains);
      boolean byWords = named.isEmpty() && mentions(message, unit);
      if (byPlace || byWords) {
        hinted.add(unit);
      }
    }
    return hinted.size() == suspects.size() ? List.of() : hinted;
  }

  private static Set<ObjectKey> byIndex(String message, Resource refused) {
    Matcher host = HOST_INDEX.matcher(message);
    if (!host.find()) {
      return Set.of();
    }
    Matcher route = ROUTE_INDEX.matcher(message);
    String path = "virtual_hosts[" + host.group(1) + "]";
    String inner = route.find(host.end()) ? path + ".routes[" + route.group(1) + "]" : path;
    Set<ObjectKey> found = new HashSet<>();
    for (Place place : refused.provenance().places()) {
      if (place.path().equals(inner)) {
        found.add(place.object());
      }
    }
    return found;
  }

  private static boolean mentions(String message, Unit unit) {
    int[] budget = {MOST_LITERALS};
    return unit.objects().values().stream()
        .anyMatch(object -> mentions(message, object.body(), budget));
  }

  private static boolean mentions(String message, Value value, int[] budget) {
    if (--budget[0] < 0) {
      return false;
    }
    if (value instanceof Mapping mapping) {
      return mapping.fields().values().stream().anyMatch(field -> mentions(message, field, budget));
    }
    if (value instanceof Sequence sequence) {
      return sequence.elements().stream().anyMatch(element -> mentions(message, element, budget));
    }
    return value instanceof Scalar scalar
        && scalar.value() instanceof String text
        && text.length() >= SHORTEST
        && message.contains(text);
  }
}
