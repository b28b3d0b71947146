// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import dev.holdfast.base.Loop;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.trial.Rollout;
import dev.holdfast.controlplane.rollout.trial.RolloutOptions;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One rollout with a fleet that agrees, from a change until all proxies run it. Time is counted in
 * round trips to a proxy. Everything is real but the proxies.
 */
final class ConfirmationRun {
  private static final int MOST_ROUND_TRIPS = 1_000;

  private final SortedSet<ObjectKey> bad;
  private final ManyProxies proxies;
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final Loop loop =
      new Loop(
          tasks::add,
          e -> {
            throw new IllegalStateException("a bug in what is measured", e);
          });
  private final Rollout rollout;

  /**
   * @param voters how many of the proxies may be asked
   * @param bad those whose part all of them refuse
   */
  ConfirmationRun(int size, int voters, SortedSet<ObjectKey> bad) {
    this.bad = bad;
    proxies = new ManyProxies(size, voters, bad);
    rollout =
        new Rollout(
            RolloutOptions.defaults(),
            Translation.empty(TranslationOptions.defaults()),
            proxies,
            new FixedTime(),
            loop,
            new QuietObserver(loop),
            message -> message);
  }

  /**
   * What a change cost.
   *
   * @param untilCommitted round trips until every good object is in the baseline
   * @param untilServed round trips until all proxies run the baseline
   * @param pushes to all proxies together
   */
  record Cost(int untilCommitted, int untilServed, int pushes) {}

  /** Objects that are all good, to begin with. */
  ConfirmationRun serve(SortedMap<ObjectKey, ConfigObject> objects) {
    change(objects);
    return this;
  }

  /**
   * Changes objects, all at once, and goes on until everything is served but those to blame.
   *
   * @throws IllegalStateException if that is not how it ends
   */
  Cost change(SortedMap<ObjectKey, ConfigObject> objects) {
    int before = proxies.pushes();
    run(() -> rollout.change(new TreeMap<ObjectKey, @Nullable ConfigObject>(objects)));
    int committed = isCommitted(objects) ? 0 : -1;
    int trips = 0;
    while (proxies.isAnySent()) {
      proxies.answer();
      run(rollout::check);
      if (++trips > MOST_ROUND_TRIPS) {
        throw new IllegalStateException("not at rest after " + trips + " round trips");
      }
      committed = committed < 0 && isCommitted(objects) ? trips : committed;
    }
    boolean areHeld =
        bad.stream().allMatch(key -> !objects.containsKey(key) || rollout.hold(key) != null);
    if (committed < 0 || !areHeld) {
      throw new IllegalStateException("at rest with " + rollout.holds());
    }
    return new Cost(committed, trips, proxies.pushes() - before);
  }

  private boolean isCommitted(SortedMap<ObjectKey, ConfigObject> objects) {
    return objects.values().stream()
        .allMatch(
            object ->
                bad.contains(object.key()) || rollout.served(object.key()) == object.generation());
  }

  private void run(Runnable task) {
    loop.execute(task);
    for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
      next.run();
    }
  }
}
