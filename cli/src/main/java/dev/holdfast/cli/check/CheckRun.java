// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import dev.holdfast.cli.CommandException;
import dev.holdfast.server.check.EnvoyJudge;
import dev.holdfast.server.check.Judgement;
import dev.holdfast.server.check.ProbeReport;
import dev.holdfast.server.envoy.EnvoyProgram;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.probe.Sink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks several Envoys at once what they make of objects. */
final class CheckRun {
  private final EnvoyJudge.Settings settings;
  private final Duration timeout;
  private final @Nullable Sink sink;
  private final CheckProgress progress;

  /**
   * @param sink answers requests; null if none are to be sent
   */
  CheckRun(
      EnvoyJudge.Settings settings, Duration timeout, @Nullable Sink sink, CheckProgress progress) {
    this.sink = sink;
    this.settings = settings;
    this.timeout = timeout;
    this.progress = progress;
  }

  /**
   * @param before what is served before; null if nothing is
   * @return in the order of the programs
   * @throws CommandException if one cannot be run
   */
  List<Findings.Verdicts> run(
      List<EnvoyProgram> programs, @Nullable ObjectTree before, ObjectTree now)
      throws InterruptedException {
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.max(1, programs.size()),
            task -> {
              Thread thread = new Thread(task, "holdfast-check");
              thread.setDaemon(true);
              return thread;
            });
    try {
      List<Future<Findings.Verdicts>> running = new ArrayList<>();
      for (EnvoyProgram program : programs) {
        running.add(threads.submit(() -> judge(program, before, now)));
      }
      List<Findings.Verdicts> verdicts = new ArrayList<>();
      for (Future<Findings.Verdicts> each : running) {
        verdicts.add(result(each));
      }
      return verdicts;
    } finally {
      threads.shutdownNow(); // which interrupts those that wait: they end their Envoys
      threads.awaitTermination(15, TimeUnit.SECONDS);
    }
  }

  private static Findings.Verdicts result(Future<Findings.Verdicts> future)
      throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StartException cause) {
        throw new CommandException(String.valueOf(cause.getMessage()), cause);
      }
      if (e.getCause() instanceof InterruptedException) {
        throw new InterruptedException();
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private Findings.Verdicts judge(EnvoyProgram program, @Nullable ObjectTree before, ObjectTree now)
      throws StartException, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    String name = program.toString();
    try (EnvoyJudge judge = EnvoyJudge.start(program, settings)) {
      judge.awaitReady();
      Judgement baseline = null;
      ProbeReport probesBefore = ProbeReport.NONE;
      if (before != null) {
        baseline =
            judge.judge(
                before.objects(), deadline, judged -> progress.show(name + " (baseline)", judged));
        probesBefore = probes(judge, deadline);
      }
      Judgement judgement =
          judge.judge(now.objects(), deadline, judged -> progress.show(name, judged));
      return new Findings.Verdicts(
          name, baseline, probesBefore, judgement, probes(judge, deadline));
    }
  }

  private ProbeReport probes(EnvoyJudge judge, long deadline)
      throws StartException, InterruptedException {
    return sink == null ? ProbeReport.NONE : judge.probe(sink, deadline);
  }
}
