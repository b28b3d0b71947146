// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Decides which of several places of one object counts: a copy must not take the place of what is
 * served, whatever its file is called.
 *
 * <ol>
 *   <li>The file that had the object before keeps it, as long as it holds it. Within that file, the
 *       body that was there before goes first.
 *   <li>If no file had it, as after a start, the body that is known from earlier goes first.
 *   <li>Otherwise the first by name of file and place in it, where a file that says the object goes
 *       before one that only held it.
 * </ol>
 *
 * @param before what counted before
 * @param known the digests of the bodies that objects are known to have had
 */
record Incumbents(
    SortedMap<ObjectKey, ConfigObject> before,
    Function<Set<ObjectKey>, Map<ObjectKey, String>> known) {

  /** The file that an object stands in. */
  static String file(ConfigObject object) {
    return object.body().position().source();
  }

  /**
   * What counts.
   *
   * @param said what files say, in the order of the files
   * @param held what files only held
   */
  SortedMap<ObjectKey, ConfigObject> choose(
      SortedMap<ObjectKey, List<ConfigObject>> said,
      SortedMap<ObjectKey, List<ConfigObject>> held) {
    SortedMap<ObjectKey, List<ConfigObject>> candidates = new TreeMap<>();
    said.forEach((key, objects) -> candidates.put(key, new ArrayList<>(objects)));
    held.forEach(
        (key, objects) ->
            candidates.computeIfAbsent(key, unused -> new ArrayList<>()).addAll(objects));
    Map<ObjectKey, String> digests = digests(candidates);
    SortedMap<ObjectKey, ConfigObject> chosen = new TreeMap<>();
    candidates.forEach((key, objects) -> chosen.put(key, choose(key, objects, digests)));
    return chosen;
  }

  /** Those of the objects that stand at several places now and counted at none before. */
  private Map<ObjectKey, String> digests(SortedMap<ObjectKey, List<ConfigObject>> candidates) {
    Set<ObjectKey> unclear = new TreeSet<>();
    candidates.forEach(
        (key, objects) -> {
          if (objects.size() > 1 && !before.containsKey(key)) {
            unclear.add(key);
          }
        });
    return unclear.isEmpty() ? Map.of() : known.apply(unclear);
  }

  private ConfigObject choose(
      ObjectKey key, List<ConfigObject> candidates, Map<ObjectKey, String> digests) {
    if (candidates.size() == 1) {
      return candidates.get(0);
    }
    ConfigObject incumbent = before.get(key);
    if (incumbent == null) {
      return withDigest(candidates, digests.getOrDefault(key, ""));
    }
    List<ConfigObject> inItsFile =
        candidates.stream().filter(object -> file(object).equals(file(incumbent))).toList();
    return inItsFile.size() == 1
        ? inItsFile.get(0)
        : withDigest(inItsFile.isEmpty() ? candidates : inItsFile, Digest.of(incumbent.body()));
  }

  /** The first with this digest; the first of all if there is none. */
  private static ConfigObject withDigest(List<ConfigObject> candidates, String digest) {
    for (ConfigObject candidate : candidates) {
      if (Digest.of(candidate.body()).equals(digest)) {
        return candidate;
      }
    }
    return candidates.get(0);
  }
}
