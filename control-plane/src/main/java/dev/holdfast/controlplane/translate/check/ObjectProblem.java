// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.check;

import dev.holdfast.base.Problem;

/** An error, a warning or a limit for the author of an object. */
public record ObjectProblem(Severity severity, Problem problem) {
  /** What a problem means for the object. */
  public enum Severity {
    /** The object is invalid. */
    ERROR,
    WARNING,
    /** The object is valid, but proxyless gRPC clients cannot use this route: calls fail. */
    GRPC_UNAVAILABLE,
    /** The object is valid, but this field has no effect on proxyless gRPC clients. */
    GRPC_IGNORED
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

  /** A route that proxyless gRPC clients cannot use. */
  public static ObjectProblem grpcUnavailable(String path, String message) {
    return new ObjectProblem(
        Severity.GRPC_UNAVAILABLE, new Problem(path, Problem.Kind.UNSUPPORTED, message));
  }

  /** A field that proxyless gRPC clients ignore. */
  public static ObjectProblem grpcIgnored(String path, String message) {
    return new ObjectProblem(
        Severity.GRPC_IGNORED, new Problem(path, Problem.Kind.UNSUPPORTED, message));
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }
}
