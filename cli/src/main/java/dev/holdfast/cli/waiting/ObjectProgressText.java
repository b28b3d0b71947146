// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.waiting.ObjectProgress.State;

/** How far an object is, in words. */
final class ObjectProgressText {
  private ObjectProgressText() {}

  /** While it is waited for. */
  static String line(ObjectProgress standing) {
    return SafeText.text(standing.key() + ": " + words(standing));
  }

  /** When that is over. */
  static String lastLine(ObjectProgress standing) {
    boolean waited = standing.state() == State.UNSEEN || standing.state() == State.PENDING;
    return waited
        ? SafeText.text(standing.key() + ": timed out: " + words(standing))
        : line(standing);
  }

  private static String words(ObjectProgress standing) {
    String generation = "generation " + standing.generation();
    return switch (standing.state()) {
      case UNSEEN ->
          standing.generation() == 0
              ? "the server has no such object"
              : "the server has only " + generation;
      case PENDING -> "pending: " + generation + ", " + proxies(standing) + because(standing);
      case PROGRAMMED -> "programmed: " + generation + ", " + proxies(standing);
      case REJECTED, DOUBTFUL -> rejected(generation, standing);
      case UNUSED -> "not referenced: " + generation + because(standing);
      case REMOVED -> "removed";
    };
  }

  /** The message of a proxy that refused it begins with the generation. */
  private static String rejected(String generation, ObjectProgress standing) {
    boolean isTold =
        standing.reason().equals("Rejected") && standing.message().startsWith(generation + " ");
    return "rejected: " + (isTold ? standing.message() : generation + because(standing));
  }

  private static String proxies(ObjectProgress standing) {
    ObjectProgress.Counts counts = standing.proxies();
    return counts.programmed()
        + " of "
        + counts.total()
        + (counts.total() == 1 ? " proxy" : " proxies");
  }

  /** A reason that says no more than the state is left out. */
  private static String because(ObjectProgress standing) {
    String message = standing.message();
    boolean usual = standing.reason().equals("Pending") || standing.reason().equals("Rejected");
    String reason = usual || standing.reason().isEmpty() ? "" : ", " + standing.reason();
    return reason
        + (message.isEmpty() || standing.reason().equals("Pending") ? "" : ": " + message);
  }

  static Colour colour(ObjectProgress standing) {
    return switch (standing.state()) {
      case PROGRAMMED, REMOVED -> Colour.GOOD;
      case REJECTED, DOUBTFUL -> Colour.BAD;
      case UNSEEN, PENDING -> Colour.WARNING;
      case UNUSED -> Colour.FAINT;
    };
  }
}
