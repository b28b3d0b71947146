// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

/**
 * Something about the place of an object in its source that its author should know.
 *
 * @param reason in one word for machines
 * @param message for people, with the places in files
 */
public record SourceNote(String reason, String message) {
  /** The object is as it was: where it stands is not readable, or not understood. */
  public static final String UNREADABLE = "Unreadable";

  /** The object is as it was: there is an edit of it that cannot be stored. */
  public static final String NOT_STORED = "NotStored";

  /** The object stands at several places, of which one counts. */
  public static final String DUPLICATE = "Duplicate";

  /** The object is as it was: its file may not hold it any more. */
  public static final String MISPLACED = "Misplaced";

  public SourceNote {
    requireNonNull(reason, "reason");
    requireNonNull(message, "message");
  }
}
