// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.waiting.ObjectProgress.State;

/** The progress of an object as text. */
final class ObjectProgressText {
  private ObjectProgressText() {}

  /** While it is waited for. */
  static String line(ObjectProgress progress) {
    return SafeText.text(progress.key() + ": " + words(progress));
  }

  /** When that is over. */
  static String lastLine(ObjectProgress progress) {
    boolean waited = progress.state() == State.UNSEEN || progress.state() == State.PENDING;
    return waited
        ? SafeText.text(progress.key() + ": timed out: " + words(progress))
        : line(progress);
  }

  private static String words(ObjectProgress progress) {
    String generation = "generation " + progress.generation();
    return switch (progress.state()) {
      case UNSEEN ->
          progress.generation() == 0
              ? "the server has no such object"
              : "the server has only seen " + generation;
      case PENDING -> "pending: " + generation + ", " + proxies(progress) + because(progress);
      case PROGRAMMED -> "programmed: " + generation + ", " + proxies(progress);
      case REJECTED, DOUBTFUL -> rejected(generation, progress);
      case UNUSED -> "not referenced: " + generation + because(progress);
      case REMOVED -> "removed";
    };
  }

  /** Most messages begin with the generation. */
  private static String rejected(String generation, ObjectProgress progress) {
    String word =
        switch (progress.reason()) {
          case "Invalid", "InvalidNew" -> "invalid: ";
          case "Conflict" -> "conflict: ";
          default -> "rejected: ";
        };
    boolean isTold =
        progress.message().startsWith(generation + " ")
            && (progress.reason().equals("Rejected") || !word.equals("rejected: "));
    return word + (isTold ? progress.message() : generation + because(progress));
  }

  private static String proxies(ObjectProgress progress) {
    ObjectProgress.Counts counts = progress.proxies();
    return counts.programmed()
        + " of "
        + counts.total()
        + (counts.total() == 1 ? " proxy" : " proxies");
  }

  /** A reason that says no more than the state is left out. */
  private static String because(ObjectProgress progress) {
    String message = progress.message();
    boolean usual = progress.reason().equals("Pending") || progress.reason().equals("Rejected");
    String reason = usual || progress.reason().isEmpty() ? "" : ", " + progress.reason();
    return reason
        + (message.isEmpty() || progress.reason().equals("Pending") ? "" : ": " + message);
  }

  static Colour colour(ObjectProgress progress) {
    return switch (progress.state()) {
      case PROGRAMMED, REMOVED -> Colour.GOOD;
      case REJECTED, DOUBTFUL -> Colour.BAD;
      case UNSEEN, PENDING -> Colour.WARNING;
      case UNUSED -> Colour.FAINT;
    };
  }
}
