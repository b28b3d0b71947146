// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import java.util.List;

/** A bootstrap that cannot be used, with everything that is wrong with it. */
public final class BootstrapException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String source;
  private final transient List<Problem> problems;

  BootstrapException(String source, List<Problem> problems) {
    super("bootstrap " + source + ": " + Problems.describe(problems));
    this.source = source;
    this.problems = List.copyOf(problems);
  }

  /** Where it came from: a file name, the name of an environment variable, {@code code}. */
  public String source() {
    return source;
  }

  /** What is wrong; the paths are those of the JSON document. */
  public List<Problem> problems() {
    return problems;
  }
}
