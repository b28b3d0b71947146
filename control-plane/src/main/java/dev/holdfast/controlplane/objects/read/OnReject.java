// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import dev.holdfast.config.ConfigObject;

/** What an author wants served of an object whose newest generation proxies refuse. */
public enum OnReject implements EnumWord {
  /** The last generation that was accepted. */
  SERVE_LAST_GOOD("serve-last-good"),
  /** Nothing: an old policy may allow what the new one was to forbid. */
  RESPOND_503("respond-503");

  public static final String ANNOTATION = "holdfast.dev/on-reject";

  private final String word;

  OnReject(String word) {
    this.word = word;
  }

  @Override
  public String word() {
    return word;
  }

  /** Notes what is wrong with the annotation, if anything is. */
  public static void check(ConfigObject object, DecodingContext reading) {
    new Annotations(object, reading).word(ANNOTATION, SERVE_LAST_GOOD);
  }

  /** What the author of an object wants. */
  public static OnReject of(ConfigObject object) {
    return RESPOND_503.word.equals(object.annotations().get(ANNOTATION))
        ? RESPOND_503
        : SERVE_LAST_GOOD;
  }
}
