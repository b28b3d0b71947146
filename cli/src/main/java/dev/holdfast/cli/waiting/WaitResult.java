// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import dev.holdfast.cli.ExitCode;
import dev.holdfast.cli.waiting.ObjectProgress.State;
import java.util.List;

/**
 * How far all objects are.
 *
 * @param over whether nothing more is to be waited for
 */
public record WaitResult(List<ObjectProgress> standings, boolean over) {
  public WaitResult {
    standings = List.copyOf(standings);
  }

  static WaitResult of(List<ObjectProgress> standings, WaitCondition purpose) {
    boolean allSeen = standings.stream().noneMatch(one -> one.state() == State.UNSEEN);
    boolean over =
        standings.stream()
            .allMatch(
                one ->
                    switch (one.state()) {
                      case PROGRAMMED, REJECTED, REMOVED -> true;
                      case DOUBTFUL -> allSeen;
                      case UNUSED -> purpose == WaitCondition.applied;
                      case UNSEEN, PENDING -> false;
                    });
    return new WaitResult(standings, over);
  }

  boolean isRejected() {
    return standings.stream()
        .anyMatch(one -> one.state() == State.REJECTED || one.state() == State.DOUBTFUL);
  }

  /** As programs are told. */
  public String word(WaitCondition purpose) {
    if (isRejected()) {
      return "rejected";
    }
    if (!over) {
      return "timed-out";
    }
    return purpose == WaitCondition.removed ? "removed" : "programmed";
  }

  public int exitCode() {
    if (isRejected()) {
      return ExitCode.REJECTED;
    }
    return over ? ExitCode.OK : ExitCode.TIMED_OUT;
  }
}
