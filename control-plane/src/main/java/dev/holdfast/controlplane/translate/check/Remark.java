// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.base.Problem;

/** Something to tell the author of an object. */
public record Remark(Severity severity, Problem problem) {
  /** Whether the object is in order all the same. */
  public enum Severity {
    ERROR,
    WARNING
  }

  public static Remark error(String path, String message) {
    return new Remark(Severity.ERROR, new Problem(path, Problem.Kind.INVALID, message));
  }

  public static Remark warning(String path, String message) {
    return new Remark(Severity.WARNING, new Problem(path, Problem.Kind.INVALID, message));
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }
}
