// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.retry;

import io.grpc.ClientCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the application did with a call so far, in order, for each attempt to do again. Thread-safe:
 * one thread at a time works on an attempt, in order, whichever comes first; no lock is held
 * meanwhile.
 */
final class Outbound<Q> {
  private final List<Step<Q>> steps = new ArrayList<>();
  private @Nullable Run<Q> current;
  private int latest;
  private boolean committed;
  private boolean closed;

  /** The only call that steps are for from now on; what came before is done. */
  private volatile @Nullable ClientCall<Q, ?> direct;

  interface Step<Q> {
    void on(ClientCall<Q, ?> call);
  }

  private static final class Run<Q> {
    final ClientCall<Q, ?> call;
    int done;
    boolean busy;

    Run(ClientCall<Q, ?> call) {
      this.call = call;
    }
  }

  /** Does something now, or as soon as there is an attempt to do it on. */
  void add(Step<Q> step) {
    ClientCall<Q, ?> only = direct;
    if (only == null) {
      only = directOrKeep(step);
    }
    if (only == null) {
      work();
    } else {
      step.on(only);
    }
  }

  private synchronized @Nullable ClientCall<Q, ?> directOrKeep(Step<Q> step) {
    if (direct == null && !closed) {
      steps.add(step);
    }
    return direct;
  }

  /**
   * Does everything so far on the started call of a new attempt, and what follows. Nothing if the
   * attempt is over already.
   *
   * @param attempt from 1
   */
  void replayOn(int attempt, ClientCall<Q, ?> call) {
    synchronized (this) {
      if (closed || attempt <= latest) {
        return;
      }
      latest = attempt;
      current = new Run<>(call);
    }
    work();
  }

  /** An attempt is over: keeps what follows for the next. */
  synchronized void pause(int attempt) {
    latest = attempt;
    current = null;
  }

  /** There will be no other attempt: nothing is kept for one any more. */
  synchronized void commit() {
    committed = true;
    if (current != null && !current.busy && current.done == steps.size()) {
      goDirect(current);
    }
  }

  /** Nothing is of interest any more. */
  synchronized void close() {
    closed = true;
    current = null;
    steps.clear();
  }

  private void goDirect(Run<Q> run) {
    steps.clear();
    direct = run.call;
  }

  private void work() {
    Run<Q> run;
    synchronized (this) {
      run = current;
      if (run == null || run.busy) {
        return;
      }
      run.busy = true;
    }
    try {
      for (Step<Q> step = next(run); step != null; step = next(run)) {
        step.on(run.call);
      }
    } catch (RuntimeException | Error e) { // misuse by the application, which is to know
      synchronized (this) {
        run.busy = false;
      }
      throw e;
    }
  }

  @SuppressWarnings("ReferenceEquality") // this very run
  private synchronized @Nullable Step<Q> next(Run<Q> run) {
    if (run == current && run.done < steps.size()) {
      return steps.get(run.done++);
    }
    run.busy = false;
    if (run == current && committed && direct == null) {
      goDirect(run);
    }
    return null;
  }
}
