// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A piece of Envoy configuration that says with {@code "@type"} what it is, as in Envoy's own
 * files.
 *
 * @param any ready to send; null if anything is wrong. Equal configurations have equal bytes
 * @param problems everything that is wrong, in the order of the document; paths start inside the
 *     configuration
 */
public record TypedConfig(@Nullable Any any, List<LocatedProblem> problems) {
  public TypedConfig {
    problems = problems.stream().sorted(Comparator.comparing(LocatedProblem::position)).toList();
  }

  /** Reads it, and checks it as Envoy does while it decodes. */
  public static TypedConfig read(Value value) {
    EnvoyTypes types = EnvoyTypes.get();
    ProblemCollector findings = new ProblemCollector();
    FieldPath root = FieldPath.root(findings);
    if (!findings.take(value, root)) {
      return new TypedConfig(null, findings.problems());
    }
    Message content = new AnyReader(new MessageReader(types)).content(value, root.inside(1));
    if (content == null || findings.isExhausted()) {
      return new TypedConfig(null, findings.problems());
    }
    Any any =
        Any.newBuilder()
            .setTypeUrl(EnvoyTypes.url(content.getDescriptorForType().getFullName()))
            .setValue(content.toByteString())
            .build();
    List<LocatedProblem> problems = new ArrayList<>(findings.problems());
    addViolations(any, value, problems);
    return new TypedConfig(problems.isEmpty() ? any : null, problems);
  }

  /** What could not be read is missing from the message; that is not one more problem. */
  private static void addViolations(Any any, Value value, List<LocatedProblem> problems) {
    List<String> unread = problems.stream().map(problem -> problem.problem().path()).toList();
    for (Problem problem : Rules.check(any)) {
      SourceLocation place = SourceLocation.of(value, problem.path());
      if (unread.stream().noneMatch(path -> overlap(path, place.path()))) {
        problems.add(
            new LocatedProblem(
                new Problem(place.path(), problem.kind(), problem.message()), place.position()));
      }
    }
  }

  /** Whether one of the two paths leads to the other. */
  private static boolean overlap(String a, String b) {
    String outer = a.length() < b.length() ? a : b;
    String inner = a.length() < b.length() ? b : a;
    return inner.startsWith(outer)
        && (outer.isEmpty()
            || inner.length() == outer.length()
            || inner.charAt(outer.length()) == '.'
            || inner.charAt(outer.length()) == '[');
  }
}
