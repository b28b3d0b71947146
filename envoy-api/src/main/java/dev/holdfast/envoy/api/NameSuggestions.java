// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import dev.holdfast.base.NearestName;
import java.util.List;
import java.util.NavigableSet;
import org.jspecify.annotations.Nullable;

/** Suggests the nearest existing type for one that does not exist. */
final class NameSuggestions {
  /** A name that differs by more than one letter of so many is another one. */
  private static final int LETTERS_PER_EDIT = 5;

  private NameSuggestions() {}

  /**
   * Among full names of messages: first one of the same package that is spelled almost like it,
   * then one with the same last part and the most in common, as when the package was moved, then
   * any that is spelled almost like it.
   */
  static @Nullable String nearest(String name, NavigableSet<String> names) {
    String home = name.substring(0, name.lastIndexOf('.') + 1);
    String sibling =
        NearestName.of(name, names.subSet(home, /* fromInclusive= */ true, home + '\uffff', true));
    if (sibling != null) {
      return sibling;
    }
    String last = name.substring(home.length());
    List<String> moved =
        names.stream().filter(candidate -> candidate.endsWith("." + last)).toList();
    String namesake = NearestName.within(name, moved, NearestName.LONGEST);
    return namesake == null
        ? NearestName.within(name, names, name.length() / LETTERS_PER_EDIT)
        : namesake;
  }
}
