// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server;

import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A source whose problems are logged: each when it comes up, and once more when it is gone. */
public final class LoggingObjectSource implements ObjectSource {
  private static final Logger log = LoggerFactory.getLogger(LoggingObjectSource.class);

  private final ObjectSource source;
  private final Consumer<String> sink;

  // Only touched by the source's reports, which come one at a time.
  private Set<LocatedProblem> known = Set.of();

  public LoggingObjectSource(ObjectSource source) {
    this(source, log::warn);
  }

  LoggingObjectSource(ObjectSource source, Consumer<String> sink) {
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
        sink.accept("problem: " + problem);
      }
    }
    for (LocatedProblem problem : known) {
      if (!now.contains(problem)) {
        sink.accept("problem is gone: " + problem);
      }
    }
    known = now;
  }
}
