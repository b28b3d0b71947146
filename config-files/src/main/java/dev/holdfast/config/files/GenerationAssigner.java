// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.Generations;
import dev.holdfast.config.ObjectKey;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Gives objects their generations. Only those that are not as they were the last time are asked
 * about, so that the cost follows the change.
 *
 * <p>Not thread-safe.
 */
final class GenerationAssigner {
  private final Generations generations;
  private SortedMap<ObjectKey, ConfigObject> written = Collections.emptySortedMap();
  private SortedMap<ObjectKey, ConfigObject> numbered = Collections.emptySortedMap();
  private boolean isFailing;

  GenerationAssigner(Generations generations) {
    this.generations = generations;
  }

  /**
   * The objects with their generations. The age is what the file says it is, if it says anything.
   *
   * @throws RuntimeException if generations cannot be stored; it is then as if never called
   */
  SortedMap<ObjectKey, ConfigObject> number(
      SortedMap<ObjectKey, ConfigObject> objects, Instant now) {
    SortedMap<ObjectKey, ConfigObject> result = new TreeMap<>();
    Map<ObjectKey, String> digests = new HashMap<>();
    objects.forEach(
        (key, object) -> {
          ConfigObject known = numbered.get(key);
          if (known != null && object.equals(written.get(key))) {
            result.put(key, known);
          } else {
            digests.put(key, Digest.of(object.body()));
          }
        });
    if (!digests.isEmpty() || isFailing) { // none may wait any more, which the store should know
      isFailing = true;
      generations
          .assign(digests, now)
          .forEach((key, generation) -> result.put(key, with(objects.get(key), generation)));
      isFailing = false;
    }
    if (!result.keySet().equals(objects.keySet())) {
      throw new IllegalStateException("generations: the store did not return the requested ones");
    }
    written = objects;
    numbered = result;
    return result;
  }

  /** The digests of the bodies that objects are known to have had, of those that are known. */
  Map<ObjectKey, String> digests(Set<ObjectKey> keys) {
    Map<ObjectKey, String> digests = new HashMap<>();
    generations.known(keys).forEach((key, generation) -> digests.put(key, generation.digest()));
    return digests;
  }

  private static ConfigObject with(
      @Nullable ConfigObject object, Generations.Generation generation) {
    if (object == null) {
      throw new IllegalStateException("generations: the store returned one that was not requested");
    }
    boolean dated = !object.created().equals(Instant.EPOCH);
    return object.with(generation.number(), dated ? object.created() : generation.created());
  }
}
