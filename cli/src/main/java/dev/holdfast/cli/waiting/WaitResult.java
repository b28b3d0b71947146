// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.waiting.ObjectProgress.State;
import java.util.List;

/**
 * The progress of all objects.
 *
 * @param over whether nothing more is to be waited for
 */
public record WaitResult(List<ObjectProgress> objects, boolean over) {
  public WaitResult {
    objects = List.copyOf(objects);
  }

  static WaitResult of(List<ObjectProgress> objects, WaitCondition waitFor) {
    boolean allSeen = objects.stream().noneMatch(one -> one.state() == State.UNSEEN);
    boolean over =
        objects.stream()
            .allMatch(
                one ->
                    switch (one.state()) {
                      case PROGRAMMED, REJECTED, REMOVED -> true;
                      case DOUBTFUL -> allSeen;
                      case UNUSED -> waitFor == WaitCondition.applied;
                      case UNSEEN, PENDING -> false;
                    });
    return new WaitResult(objects, over);
  }

  boolean isRejected() {
    return objects.stream()
        .anyMatch(one -> one.state() == State.REJECTED || one.state() == State.DOUBTFUL);
  }

  /** The word in JSON and YAML output. */
  public String word(WaitCondition waitFor) {
    if (isRejected()) {
      return "rejected";
    }
    if (!over) {
      return "timed-out";
    }
    return waitFor == WaitCondition.removed ? "removed" : "programmed";
  }

  public int exitCode() {
    if (isRejected()) {
      return ExitCode.REJECTED;
    }
    return over ? ExitCode.OK : ExitCode.TIMED_OUT;
  }
}
