// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.odd;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.rollout.selection.ObjectReferences;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Odd proxies that ended while they tried something, although their class runs it. After the second
 * time they are not shown the same again. Loop only.
 */
final class OddDeaths {
  private static final int MOST_PROXIES = 64;
  private static final int CONVICTING = 2;

  /** A process that ended of what it tried is back within this time. */
  private static final Duration BACK = Duration.ofSeconds(30);

  private record Departure(List<ConfigObject> suspects, long at) {}

  /** What each proxy tried when it left, until it is back. */
  private final Map<String, Departure> tried = bounded();

  /** How often each proxy died of a generation. */
  private final Map<String, Map<ConfigObject, Integer>> deaths = bounded();

  private static <V> Map<String, V> bounded() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1;

      @Override
      protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > MOST_PROXIES;
      }
    };
  }

  /** A proxy left while it tried some objects. */
  void left(String node, SortedMap<ObjectKey, ConfigObject> objects, long now) {
    List<ConfigObject> policies = new ArrayList<>();
    for (ConfigObject object : objects.values()) {
      if (object.key().kind().equals(ExtensionPolicy.KIND)) {
        policies.add(object);
      }
    }
    // Proxies get policies as authors wrote them, and everything else as it is translated.
    tried.put(
        node, new Departure(policies.isEmpty() ? List.copyOf(objects.values()) : policies, now));
  }

  /** A proxy is back with nothing. */
  void startedAnew(String node, long now) {
    Departure departure = tried.remove(node);
    if (departure != null && now - departure.at < BACK.toNanos()) {
      Map<ConfigObject, Integer> counts = deaths.computeIfAbsent(node, unused -> new HashMap<>());
      departure.suspects.forEach(object -> counts.merge(object, 1, Integer::sum));
    }
  }

  /** Whether a proxy is not shown a generation, nor what is served only together with it. */
  boolean isLeftOut(String node, ConfigObject object) {
    Map<ConfigObject, Integer> counts = deaths.getOrDefault(node, Map.of());
    return counts.getOrDefault(object, 0) >= CONVICTING
        || counts.entrySet().stream()
            .anyMatch(
                each ->
                    each.getValue() >= CONVICTING
                        && object.key().equals(ObjectReferences.policyTarget(each.getKey())));
  }

  /** An object is tried again because somebody asked for it. */
  void forget(ObjectKey key) {
    deaths.values().forEach(counts -> counts.keySet().removeIf(each -> each.key().equals(key)));
  }
}
