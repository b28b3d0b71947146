// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** See {@link Generations#inMemory}. */
final class InMemoryGenerations implements Generations {
  private final Map<ObjectKey, Generation> known = new HashMap<>();

  @Override
  public synchronized Map<ObjectKey, Generation> assign(
      Map<ObjectKey, String> digests, Instant now) {
    Map<ObjectKey, Generation> assigned = new HashMap<>();
    digests.forEach(
        (key, digest) -> assigned.put(key, Generation.after(known.get(key), digest, now)));
    known.putAll(assigned);
    return assigned;
  }
}
