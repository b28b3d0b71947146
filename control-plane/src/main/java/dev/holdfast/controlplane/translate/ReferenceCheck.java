// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.objects.references.FieldPositions;
import dev.holdfast.controlplane.translate.check.MissingObjects;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks a set of objects offline: each object by itself, and the references between them. The
 * server's own translation does the work, so the result is what the server would report. A problem
 * is reported on the object whose author can fix it.
 */
public final class ReferenceCheck {
  private ReferenceCheck() {}

  /** The problems that an object has by itself. */
  public static List<LocatedProblem> alone(ConfigObject object, TranslationOptions options) {
    return IndexedObject.of(object, options.settings()).decoded().problems();
  }

  /** The problems of each object that has any, with the usual options. */
  public static SortedMap<ObjectKey, List<LocatedProblem>> check(Collection<ConfigObject> objects) {
    return check(objects, TranslationOptions.defaults());
  }

  /** The problems of each object that has any. */
  public static SortedMap<ObjectKey, List<LocatedProblem>> check(
      Collection<ConfigObject> objects, TranslationOptions options) {
    TreeMap<ObjectKey, @Nullable ConfigObject> all = new TreeMap<>();
    objects.forEach(object -> all.put(object.key(), object));
    Translation translation = Translation.empty(options).with(all);
    boolean[] unserved = {false};
    translation.objects().forEach((key, object) -> unserved[0] |= isUnserved(object));
    SortedMap<ObjectKey, List<LocatedProblem>> found = new TreeMap<>();
    for (ConfigObject object : objects) {
      TranslatedObject translated = translation.objects().get(object.key());
      if (translated == null) {
        continue;
      }
      List<LocatedProblem> problems = new ArrayList<>();
      translated
          .problems()
          .forEach(problem -> problems.add(MissingObjects.suggest(problem, all.navigableKeySet())));
      // An invalid object that is not served may be the one that includes this object.
      if (translated.orphaned() && !unserved[0]) {
        problems.add(orphan(object));
      }
      if (!problems.isEmpty()) {
        found.put(object.key(), List.copyOf(problems));
      }
    }
    return Collections.unmodifiableSortedMap(found);
  }

  private static boolean isUnserved(TranslatedObject object) {
    return object.key().kind().equals(HttpProxy.KIND)
        && !object.isValid()
        && !object.orphaned()
        && object.footprint().isEmpty();
  }

  private static LocatedProblem orphan(ConfigObject object) {
    return new LocatedProblem(
        new Problem(
            "spec",
            Problem.Kind.INVALID,
            "orphaned (expected: a virtualhost, or another HTTPProxy that includes this one)"),
        FieldPositions.of(object.body(), "spec"));
  }
}
