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
 * Collects the problems of one object while it is decoded. Not thread-safe; used for one decoding.
 */
public final class DecodingContext {
  private static final Comparator<LocatedProblem> DOCUMENT_ORDER =
      Comparator.<LocatedProblem>comparingInt(problem -> problem.position().line())
          .thenComparingInt(problem -> problem.position().column());

  private final List<LocatedProblem> found = new ArrayList<>();
  private final List<LocatedProblem> leftOut = new ArrayList<>();

  /** Decodes an object's body, and reports the fields that the decoder does not know. */
  public <T> T read(Mapping body, Function<Fields, T> decoder) {
    Fields fields = new Fields(this, body, body.position(), Path.ROOT, null);
    T value = decoder.apply(fields);
    fields.reportUnknown();
    return value;
  }

  /** Adds a problem outside of the body, such as in an annotation. */
  public void add(String path, Problem.Kind kind, String message, Position position) {
    found.add(new LocatedProblem(new Problem(path, kind, message), position));
  }

  /** Adds a problem with a part that is left out, so that the rest can be used. */
  void addLeftOut(LocatedProblem problem) {
    leftOut.add(problem);
  }

  /** The problems with parts that are left out, in document order. */
  public List<LocatedProblem> leftOut() {
    return leftOut.stream().sorted(DOCUMENT_ORDER).toList();
  }

  /** The message for a feature that Holdfast does not support. */
  public static String notSupported(String what) {
    return "not supported by Holdfast: " + what;
  }

  /** The problems that make the whole object unusable, in document order. */
  public List<LocatedProblem> problems() {
    return found.stream().sorted(DOCUMENT_ORDER).toList();
  }
}
