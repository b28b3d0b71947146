// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.base.NearestName;
import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import java.util.List;
import java.util.NavigableSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Suggests the object that an author probably meant by a reference to one that does not exist. This
 * happens when problems are shown, not when they are found: otherwise each new object would change
 * the problems of all objects that refer to others.
 */
public final class MissingObjects {
  private static final String ABSENT = " does not exist";
  private static final Pattern MISSING = Pattern.compile("(\\w+)/([^/ ]+)/([^/ ]+)" + ABSENT);

  /** The reference to a missing object. */
  public static String absent(ObjectKey key) {
    return key + ABSENT;
  }

  private MissingObjects() {}

  /**
   * The problem with a suggestion, if it is a missing object and another one has almost its name.
   *
   * @param all the keys of all objects
   */
  public static LocatedProblem suggest(LocatedProblem located, NavigableSet<ObjectKey> all) {
    Problem problem = located.problem();
    String near = nearest(problem.message(), all);
    return near == null
        ? located
        : new LocatedProblem(
            new Problem(
                problem.path(),
                problem.kind(),
                problem.message() + " (did you mean " + near + "?)"),
            located.position());
  }

  private static @Nullable String nearest(String message, NavigableSet<ObjectKey> all) {
    Matcher missing = MISSING.matcher(message);
    if (!missing.matches()) {
      return null;
    }
    String kind = missing.group(1);
    String namespace = missing.group(2);
    List<String> names =
        all
            .subSet(
                new ObjectKey(kind, namespace, ""),
                /* fromInclusive= */ true,
                new ObjectKey(kind, namespace + "\0", ""),
                /* toInclusive= */ false)
            .stream()
            .map(ObjectKey::name)
            .toList();
    return NearestName.of(missing.group(3), names);
  }
}
