// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import dev.holdfast.cli.objects.Validation;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.config.files.ReadResult;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The objects of some files, and what Holdfast itself has to say of them.
 *
 * @param problems with each object by itself, and with references
 */
record ObjectTree(SortedMap<ObjectKey, ConfigObject> objects, List<Validation.Found> problems) {
  static final ObjectTree EMPTY = new ObjectTree(Collections.emptySortedMap(), List.of());

  ObjectTree {
    objects = Collections.unmodifiableSortedMap(new TreeMap<>(objects));
    problems = List.copyOf(problems);
  }

  /**
   * @param before the tree that these objects come in the place of: what is different has another
   *     generation
   */
  static ObjectTree of(ReadResult reading, ObjectTree before, TranslationOptions translation) {
    SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>();
    for (ConfigObject object : reading.objects()) {
      ConfigObject earlier = before.objects.get(object.key());
      long generation =
          earlier == null
              ? 1
              : isSame(earlier, object) ? earlier.generation() : earlier.generation() + 1;
      objects.put(object.key(), object.with(generation, object.created()));
    }
    return new ObjectTree(objects, Validation.together(reading, List.of(), translation).problems());
  }

  private static boolean isSame(ConfigObject one, ConfigObject other) {
    return one.apiVersion().equals(other.apiVersion())
        && one.labels().equals(other.labels())
        && one.annotations().equals(other.annotations())
        && Digest.of(one.body()).equals(Digest.of(other.body()));
  }

  SortedMap<ObjectKey, Position> positions() {
    SortedMap<ObjectKey, Position> positions = new TreeMap<>();
    objects.forEach((key, object) -> positions.put(key, object.body().position()));
    return positions;
  }
}
