// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import com.sun.management.ThreadMXBean;
import dev.holdfast.base.Loop;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One rollout with one proxy, from a change to its end. Everything is real but the proxy. */
final class SearchRun {
  private final OneProxy proxy;
  private final Set<ObjectKey> bad;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Loop loop =
      new Loop(
          tasks::add,
          e -> {
            throw new IllegalStateException("a bug in what is measured", e);
          });
  private final Rollout rollout;

  /**
   * @param bad those whose part the proxy refuses
   */
  SearchRun(Set<ObjectKey> bad) {
    this.bad = bad;
    proxy = new OneProxy(bad);
    rollout =
        new Rollout(
            RolloutOptions.defaults(),
            Translation.empty(TranslationOptions.defaults()),
            proxy,
            new FixedTime(),
            loop,
            new QuietObserver(loop),
            message -> message);
  }

  /**
   * What a change cost after it was refused.
   *
   * @param pushes of something else than what was refused first
   */
  record Cost(int pushes, double cpuMillis, double kibibytes) {}

  /** Objects that are all good, to begin with. */
  SearchRun serve(SortedMap<ObjectKey, ConfigObject> objects) {
    tell(objects);
    settle();
    return this;
  }

  /**
   * Changes objects, all at once, and goes on until everything is served but those to blame.
   *
   * @throws IllegalStateException if that is not how it ends
   */
  Cost change(SortedMap<ObjectKey, ConfigObject> objects) {
    tell(objects); // and so shows all of it to the proxy
    int first = proxy.pushes();
    ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    long allocated = threads.getCurrentThreadAllocatedBytes();
    long cpu = threads.getCurrentThreadCpuTime();
    settle();
    Cost cost =
        new Cost(
            proxy.pushes() - first,
            (threads.getCurrentThreadCpuTime() - cpu) / 1e6,
            (threads.getCurrentThreadAllocatedBytes() - allocated) / 1024.0);
    checkOutcome(objects);
    return cost;
  }

  private void tell(SortedMap<ObjectKey, ConfigObject> objects) {
    run(
        () -> {
          rollout.change(new TreeMap<ObjectKey, @Nullable ConfigObject>(objects));
          rollout.desired(); // as a control plane does, for the status of objects
        });
  }

  private void settle() {
    int before;
    do {
      before = proxy.pushes();
      run(rollout::check);
    } while (proxy.pushes() > before);
  }

  private void run(Runnable task) {
    loop.execute(task);
    for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
      next.run();
    }
  }

  private void checkOutcome(SortedMap<ObjectKey, ConfigObject> objects) {
    Set<ObjectKey> held = new TreeSet<>();
    rollout.holds().forEach(hold -> held.add(hold.key()));
    if (!held.equals(bad)) {
      throw new IllegalStateException("held: " + held + " (expected: " + bad + ")");
    }
    for (ConfigObject object : objects.values()) {
      long wanted = bad.contains(object.key()) ? 0 : object.generation();
      if (rollout.served(object.key()) != wanted) {
        throw new IllegalStateException(
            object.key() + ": serving " + rollout.served(object.key()) + " of " + wanted);
      }
    }
  }
}
