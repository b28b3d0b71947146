// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectSource;
import dev.holdfast.config.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoggingObjectSourceTest {
  private final List<String> logged = new ArrayList<>();
  private final List<ObjectChanges> heard = new ArrayList<>();
  private final Scripted source = new Scripted();

  @Test
  void aProblemIsLoggedWhenItComesUpAndWhenItIsGone() {
    new LoggingObjectSource(source, line -> logged.add(line.text())).start(heard::add);

    source.report(problem("a.yaml"), problem("b.yaml"));
    source.report(problem("a.yaml"), problem("b.yaml"));
    source.report(problem("b.yaml"));
    source.report(problem("b.yaml"), problem("a.yaml"));

    assertThat(logged)
        .containsExactly(
            "problem: a.yaml: not YAML",
            "problem: b.yaml: not YAML",
            "problem resolved: a.yaml: not YAML",
            "problem: a.yaml: not YAML");
    assertThat(heard).hasSize(4);
  }

  @Test
  void itEndsWithItsSource() {
    new LoggingObjectSource(source, line -> logged.add(line.text())).close();

    assertThat(source.closed).isTrue();
  }

  private static LocatedProblem problem(String file) {
    return new LocatedProblem(
        new Problem("", Problem.Kind.UNDECODABLE, "not YAML"), Position.of(file));
  }

  /** Reports what it is told to. */
  private static final class Scripted implements ObjectSource {
    private @Nullable Listener listener;
    private boolean closed;

    void report(LocatedProblem... problems) {
      if (listener != null) {
        listener.onChange(
            new ObjectChanges(
                new TreeMap<>(), new TreeMap<>(), new TreeSet<>(), List.of(problems)));
      }
    }

    @Override
    public void start(Listener newListener) {
      listener = newListener;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
