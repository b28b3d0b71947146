// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.docs;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** A step of a page, as it went when it was last run. */
final class Attempt {
  /** How long the world may take to become what a page shows. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Terminal terminal;
  private final Block block;
  private final Block.Step step;
  private final Ports ports;

  private Terminal.@Nullable Went went;

  /** What is not as the page says; empty if all is. */
  String complaint = "never run";

  Attempt(Terminal terminal, Block block, Block.Step step, Ports ports) {
    this.terminal = terminal;
    this.block = block;
    this.step = step;
    this.ports = ports;
  }

  /** Runs it once. */
  void go() throws Exception {
    Terminal.Went now =
        switch (block.mark().how()) {
          case UNTIL -> terminal.runUntil(step, ports, ports.put(block.mark().value()));
          case EXIT -> terminal.tryOut(step, ports);
          default ->
              step.output().isEmpty() ? terminal.run(step, ports) : terminal.tryOut(step, ports);
        };
    went = now;
    complaint = complaint(now);
  }

  /** Runs it until it shows what the page shows, as a reader would do. */
  void repeat() {
    try {
      await()
          .dontCatchUncaughtExceptions()
          .atMost(PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(250))
          .pollInSameThread()
          .until(
              () -> {
                go();
                return complaint.isEmpty();
              });
    } catch (ConditionTimeoutException e) {
      // The last complaint says more than this one.
    }
  }

  private String complaint(Terminal.Went now) {
    String expected =
        switch (block.mark().how()) {
          case UNTIL -> "null";
          case EXIT -> block.mark().value();
          default -> "0";
        };
    if (!String.valueOf(now.exitCode()).equals(expected)) {
      return "exit code " + now.exitCode() + " (expected: " + expected + ")";
    }
    String missing = Output.missing(step.output().stream().map(ports::put).toList(), now.output());
    return missing.isEmpty() ? "" : "printed no line like \"" + missing + "\"";
  }

  String lastCommand() {
    return went == null ? "nothing" : went.lastCommand();
  }

  String printed() {
    return went == null ? "" : String.join("\n", went.output()).indent(4);
  }
}
