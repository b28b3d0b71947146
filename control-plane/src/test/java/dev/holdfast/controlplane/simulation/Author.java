// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.Generations;
import dev.holdfast.config.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Everybody who writes objects, and the place where these lie: what is there survives crashes. */
final class Author {
  private final TimeSource time;
  private final Generations generations = Generations.inMemory();
  private final SortedMap<ObjectKey, Written> live = new TreeMap<>();
  private final SortedMap<ObjectKey, List<Written>> all = new TreeMap<>();

  /** What is there, and was not valid in any generation since it is. */
  private final SortedSet<ObjectKey> neverValid = new TreeSet<>();

  Author(TimeSource time) {
    this.time = time;
  }

  /** Carries edits out; null is a deletion. */
  void edit(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    edits.forEach(
        (key, sketch) -> {
          if (sketch == null) {
            live.remove(key);
            neverValid.remove(key);
          } else {
            write(sketch);
          }
        });
  }

  private void write(Sketch sketch) {
    ObjectKey key = sketch.key();
    Generations.Generation generation =
        generations.assign(Map.of(key, Digest.of(sketch.body())), time.now()).get(key);
    if (generation == null) {
      throw new AssertionError(key);
    }
    Written written = new Written(sketch, object(sketch, generation));
    if (sketch.flaw() != Flaw.INVALID) {
      neverValid.remove(key);
    } else if (!live.containsKey(key)) {
      neverValid.add(key);
    }
    live.put(key, written);
    all.computeIfAbsent(key, unused -> new ArrayList<>()).add(written);
  }

  private static ConfigObject object(Sketch sketch, Generations.Generation generation) {
    Instant created = generation.created();
    return new ConfigObject(
        sketch.key(),
        sketch.apiVersion(),
        "",
        generation.number(),
        created,
        new TreeMap<>(sketch.labels()),
        new TreeMap<>(sketch.annotations()),
        sketch.body());
  }

  /** All objects as a source would read them. */
  SortedMap<ObjectKey, ConfigObject> objects() {
    SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>();
    live.forEach((key, written) -> objects.put(key, written.object()));
    return objects;
  }

  SortedMap<ObjectKey, Written> live() {
    return Collections.unmodifiableSortedMap(live);
  }

  /** Whether an object has a generation that a proxy could get something from. */
  boolean hasContent(ObjectKey key) {
    return live.containsKey(key) && !neverValid.contains(key);
  }

  @Nullable Written get(ObjectKey key) {
    return live.get(key);
  }

  /** A generation that was written at some time; of several the last. */
  @Nullable Written get(ObjectKey key, long generation) {
    Written found = null;
    for (Written written : past(key)) {
      found = written.generation() == generation ? written : found;
    }
    return found;
  }

  /** All names that something was ever written under. */
  Set<ObjectKey> names() {
    return all.keySet();
  }

  /** All that was ever written under a name, oldest first. */
  List<Written> past(ObjectKey key) {
    return all.getOrDefault(key, List.of());
  }

  List<ObjectKey> roots() {
    return live.keySet().stream().filter(Names::isRoot).toList();
  }
}
