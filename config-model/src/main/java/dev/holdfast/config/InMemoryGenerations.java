// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** See {@link Generations#inMemory}. */
final class InMemoryGenerations implements Generations {
  private final Map<ObjectKey, Generation> known = new HashMap<>();

  @Override
  public synchronized SortedMap<ObjectKey, Generation> assign(
      Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now) {
    SortedMap<ObjectKey, Generation> assigned = new TreeMap<>();
    digests.forEach(
        (key, digest) ->
            assigned.put(key, Generation.after(known.get(key), digest, counted.get(key), now)));
    known.putAll(assigned);
    return assigned;
  }

  @Override
  public synchronized SortedMap<ObjectKey, Generation> known(Set<ObjectKey> keys) {
    SortedMap<ObjectKey, Generation> found = new TreeMap<>();
    for (ObjectKey key : keys) {
      Generation generation = known.get(key);
      if (generation != null) {
        found.put(key, generation);
      }
    }
    return found;
  }
}
