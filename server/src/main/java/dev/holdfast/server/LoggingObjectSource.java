// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectSource;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.log.LogLine;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Logs the problems of an object source: each when it appears and when it is resolved. */
public final class LoggingObjectSource implements ObjectSource {
  private final ObjectSource source;
  private final Consumer<LogLine> sink;

  // Only touched by the source's reports, which come one at a time.
  private Set<LocatedProblem> known = Set.of();

  public LoggingObjectSource(ObjectSource source) {
    this(source, LogLine::log);
  }

  LoggingObjectSource(ObjectSource source, Consumer<LogLine> sink) {
    this.source = source;
    this.sink = sink;
  }

  @Override
  public void start(Listener listener) {
    source.start(
        changes -> {
          log(changes.problems());
          listener.onChange(changes);
        });
  }

  @Override
  public void close() {
    source.close();
  }

  private void log(List<LocatedProblem> problems) {
    Set<LocatedProblem> now = new LinkedHashSet<>(problems);
    for (LocatedProblem problem : now) {
      if (!known.contains(problem)) {
        sink.accept(line(LogArea.SOURCE.warn("problem"), problem).text("problem: " + problem));
      }
    }
    for (LocatedProblem problem : known) {
      if (!now.contains(problem)) {
        sink.accept(
            line(LogArea.SOURCE.info("problem-resolved"), problem)
                .text("problem resolved: " + problem));
      }
    }
    known = now;
  }

  private static LogLine line(LogLine line, LocatedProblem problem) {
    return line.with("place", problem.position().toString());
  }
}
