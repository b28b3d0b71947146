// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.base.Problem;

/** An error or a warning for the author of an object. */
public record ObjectProblem(Severity severity, Problem problem) {
  /** Whether the problem makes the object invalid. */
  public enum Severity {
    ERROR,
    WARNING
  }

  public static ObjectProblem error(String path, String message) {
    return new ObjectProblem(Severity.ERROR, new Problem(path, Problem.Kind.INVALID, message));
  }

  /** An error that would be none if another object did not have the same. */
  public static ObjectProblem conflict(String path, String message) {
    return new ObjectProblem(Severity.ERROR, new Problem(path, Problem.Kind.CONFLICT, message));
  }

  public static ObjectProblem warning(String path, String message) {
    return new ObjectProblem(Severity.WARNING, new Problem(path, Problem.Kind.INVALID, message));
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }
}
