// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reports the problems of one mapping at the positions where its author can fix them. */
record FieldProblems(DecodingContext context, Mapping mapping, Position position, Path path) {

  void invalid(String message) {
    report(path, Problem.Kind.INVALID, message, position);
  }

  void missing(String name, String message) {
    report(path.field(name), Problem.Kind.REQUIRED, message, position);
  }

  void invalid(String name, String message) {
    report(path.field(name), Problem.Kind.INVALID, message, positionOf(name));
  }

  void invalid(String name, int index, String message) {
    report(path.field(name).element(index), Problem.Kind.INVALID, message, positionOf(name, index));
  }

  void leftOut(String name, int index, String message) {
    String at = path.field(name).element(index).toString();
    context.addLeftOut(
        new LocatedProblem(
            new Problem(at, Problem.Kind.INVALID, message), positionOf(name, index)));
  }

  private Position positionOf(String name, int index) {
    return value(name) instanceof Sequence sequence && index < sequence.elements().size()
        ? sequence.elements().get(index).position()
        : positionOf(name);
  }

  void invalid(String name, String key, String message) {
    Value entry = value(name) instanceof Mapping entries ? entries.fields().get(key) : null;
    report(
        path.field(name).key(key),
        Problem.Kind.INVALID,
        message,
        entry == null ? positionOf(name) : entry.position());
  }

  void unsupported(String name, String what) {
    report(
        path.field(name),
        Problem.Kind.UNSUPPORTED,
        DecodingContext.notSupported(what),
        positionOf(name));
  }

  void reject(String name, String what) {
    report(
        path.field(name),
        Problem.Kind.UNSUPPORTED,
        DecodingContext.notSupported(what),
        mapping.keyPosition(name));
  }

  void unknown(Collection<String> known) {
    for (String name : mapping.fields().keySet()) {
      if (!known.contains(name)) {
        String message = ValueTypes.unknownField(name, known);
        report(path.field(name), Problem.Kind.INVALID, message, mapping.keyPosition(name));
      }
    }
  }

  /**
   * Adds problems that another decoder found inside of a field, with paths relative to that field.
   */
  void addNested(String name, List<LocatedProblem> problems) {
    for (LocatedProblem located : problems) {
      Problem problem = located.problem();
      Path at =
          problem.path().isEmpty() ? path.field(name) : path.field(name).field(problem.path());
      report(at, problem.kind(), problem.message(), located.position());
    }
  }

  void report(Path at, Problem.Kind kind, String message, Position where) {
    context.add(at.toString(), kind, message, where);
  }

  private @Nullable Value value(String name) {
    return mapping.fields().get(name);
  }

  private Position positionOf(String name) {
    Value value = value(name);
    return value == null ? position : value.position();
  }
}
