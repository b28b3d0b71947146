// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Waits until all of some shared things are ready; then runs a task, once, unless cancelled. */
final class Warming {
  private final Set<Provider> missing;
  private final Runnable whenDone;
  private boolean over;

  private Warming(List<? extends Provider> targets, Runnable whenDone) {
    missing = new HashSet<>(targets);
    this.whenDone = whenDone;
  }

  static Warming start(List<? extends Provider> targets, Runnable whenDone) {
    Warming warming = new Warming(targets, whenDone);
    for (Provider target : targets) {
      target.await(() -> warming.arrived(target));
    }
    warming.check();
    return warming;
  }

  private void arrived(Provider target) {
    missing.remove(target);
    check();
  }

  private void check() {
    if (missing.isEmpty() && !over) {
      over = true;
      whenDone.run();
    }
  }

  void cancel() {
    over = true;
  }
}
