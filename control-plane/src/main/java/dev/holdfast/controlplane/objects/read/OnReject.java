// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import dev.holdfast.config.ConfigObject;

/** What to serve of an object whose newest generation proxies reject, as chosen by its author. */
public enum OnReject implements EnumWord {
  /** The last accepted generation. */
  SERVE_LAST_GOOD("serve-last-good"),
  /** Nothing but 503: an old policy may allow what the new one forbids. */
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

  /** Reports a problem with the annotation, if there is one. */
  public static void check(ConfigObject object, DecodingContext context) {
    new Annotations(object, context).enumValue(ANNOTATION, SERVE_LAST_GOOD);
  }

  /** The choice of the object's author. */
  public static OnReject of(ConfigObject object) {
    return RESPOND_503.word.equals(object.annotations().get(ANNOTATION))
        ? RESPOND_503
        : SERVE_LAST_GOOD;
  }
}
