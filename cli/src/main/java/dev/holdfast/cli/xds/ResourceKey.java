// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

/** A resource as the user calls it. */
record ResourceKey(TypeAlias type, String name) {

  /**
   * Reads {@code TYPE/NAME}; the name may contain slashes.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static ResourceKey parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException(
          "'" + text + "' (expected: TYPE/NAME with TYPE one of " + TypeAlias.expected() + ")");
    }
    return of(text.substring(0, slash), text.substring(slash + 1));
  }

  /**
   * A resource by the word for its type and its name.
   *
   * @throws IllegalArgumentException with a message for the user
   */
  static ResourceKey of(String word, String name) {
    TypeAlias type =
        TypeAlias.of(word)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "type '" + word + "' (expected: one of " + TypeAlias.expected() + ")"));
    if (name.isEmpty()) {
      throw new IllegalArgumentException("the name of the " + word + " is missing");
    }
    return new ResourceKey(type, name);
  }

  @Override
  public String toString() {
    return type.word() + "/" + name;
  }
}
