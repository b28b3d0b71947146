// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * One reading of one object: collects what is wrong with it. Not thread-safe; lives for one
 * decoding.
 */
public final class DecodingContext {
  private static final Comparator<LocatedProblem> DOCUMENT_ORDER =
      Comparator.<LocatedProblem>comparingInt(problem -> problem.position().line())
          .thenComparingInt(problem -> problem.position().column());

  private final List<LocatedProblem> found = new ArrayList<>();

  /** Reads an object's body, reporting also the fields that the decoder does not know. */
  public <T> T read(Mapping body, Function<Fields, T> decoder) {
    Fields fields = new Fields(this, body, body.position(), Path.ROOT, null);
    T value = decoder.apply(fields);
    fields.reportUnknown();
    return value;
  }

  /** A problem that stands outside of the body, such as in an annotation. */
  public void add(String path, Problem.Kind kind, String message, Position position) {
    found.add(new LocatedProblem(new Problem(path, kind, message), position));
  }

  /** The words for what Holdfast does not do. */
  public static String notSupported(String what) {
    return "not supported by Holdfast: " + what;
  }

  /** Everything found, in the order of the document. */
  public List<LocatedProblem> problems() {
    return found.stream().sorted(DOCUMENT_ORDER).toList();
  }
}
