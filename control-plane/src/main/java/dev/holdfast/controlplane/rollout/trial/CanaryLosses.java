// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static java.util.Collections.disjoint;
import static java.util.stream.Collectors.toSet;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The canaries that were lost lately. The rollouts share them: a class that goes its own way after
 * it has lost a proxy to a change has still lost it. They are stored, so that a change does not
 * cost more proxies because the control plane was restarted in between. Loop only.
 */
public final class CanaryLosses {
  /** Makes losses durable. */
  public interface Recorder {
    /** A canary was lost, or more is known about it. */
    void canaryLost(StoredLoss loss);

    /** A loss does not count any more. */
    void lossForgotten(StoredLoss.Key loss);

    /** Runs a task on the loop when everything reported so far would survive a crash. */
    void whenDurable(Runnable task);
  }

  private static final Recorder NOT_STORED =
      new Recorder() {
        @Override
        public void canaryLost(StoredLoss loss) {}

        @Override
        public void lossForgotten(StoredLoss.Key loss) {}

        @Override
        public void whenDurable(Runnable task) {
          task.run();
        }
      };

  /** The oldest of the same class go first; a trial has few canaries. */
  private static final int MOST_OF_A_CLASS = 50;

  private static final int MOST = 1_000;

  /** Of one change and class. */
  private static final int MOST_EXCUSES = 5;

  /** What is older says nothing about what proxies do today. */
  private static final Duration LONGEST_STORED = Duration.ofDays(1);

  private final TimeSource time;
  private final Recorder recorder;
  private final Runnable written;
  private final List<Loss> losses = new ArrayList<>();
  private final List<Loss> excused = new ArrayList<>();
  private final Map<StoredLoss.Key, StoredLoss> recorded = new HashMap<>();

  /** What the entries of {@link #recorded} were made of. */
  private final Map<StoredLoss.Key, Loss> lastRecorded = new HashMap<>();

  private final Map<StoredLoss.Key, Integer> writing = new HashMap<>();
  private long lastTrial;

  /** Losses that are forgotten at the end of the process. */
  public static CanaryLosses notStored(TimeSource time) {
    return new CanaryLosses(time, NOT_STORED, () -> {});
  }

  /**
   * @param written runs on the loop when a loss has become durable
   */
  public CanaryLosses(TimeSource time, Recorder recorder, Runnable written) {
    this.time = time;
    this.recorder = recorder;
    this.written = written;
  }

  /**
   * A canary that was lost.
   *
   * @param isSilent whether it is still connected, and did not answer
   * @param shown the changes that it was shown
   * @param canaries all that were shown them
   * @param cold whether all proxies were, because there was no baseline
   * @param trial the number of the trial in which they were
   * @param began when they were first shown, on the clock of {@code System.nanoTime}
   * @param at on the same clock
   * @param isDeath whether it has come back with nothing: whatever it does later, it had died
   * @param isAlone whether it is known that few others left at the same time
   * @param isRestored whether an earlier process saw it; who else left then is not known any more
   */
  record Loss(
      String node,
      String proxyClass,
      boolean isSilent,
      SortedMap<ObjectKey, Long> shown,
      Collection<String> canaries,
      boolean cold,
      long trial,
      long began,
      long at,
      boolean isDeath,
      boolean isAlone,
      boolean isRestored) {
    private Loss without(Set<ObjectKey> keys) {
      if (disjoint(shown.keySet(), keys)) {
        return this;
      }
      SortedMap<ObjectKey, Long> left = new TreeMap<>(shown);
      for (ObjectKey key : keys) {
        left.remove(key);
      }
      return with(left, isDeath, isAlone);
    }

    private Loss only(Set<ObjectKey> keys) {
      SortedMap<ObjectKey, Long> left = new TreeMap<>();
      for (ObjectKey key : keys) {
        Long generation = shown.get(key);
        if (generation != null) {
          left.put(key, generation);
        }
      }
      return left.size() == shown.size() ? this : with(left, isDeath, isAlone);
    }

    private Loss asDeath() {
      return isDeath ? this : with(shown, /* death= */ true, isAlone);
    }

    private Loss asAlone() {
      return isAlone ? this : with(shown, isDeath, /* alone= */ true);
    }

    private Loss with(SortedMap<ObjectKey, Long> some, boolean death, boolean alone) {
      return new Loss(
          node,
          proxyClass,
          isSilent,
          some,
          canaries,
          cold,
          trial,
          began,
          at,
          death,
          alone,
          isRestored);
    }

    private boolean isLike(Loss other) {
      return proxyClass.equals(other.proxyClass) && sharesChange(other);
    }

    /** Whether both were shown the same generation of some object. */
    boolean sharesChange(Loss other) {
      boolean isFewer = shown.size() <= other.shown.size();
      SortedMap<ObjectKey, Long> many = isFewer ? other.shown : shown;
      for (Map.Entry<ObjectKey, Long> entry : (isFewer ? shown : other.shown).entrySet()) {
        if (entry.getValue().equals(many.get(entry.getKey()))) {
          return true;
        }
      }
      return false;
    }

    private StoredLoss.Key key() {
      return new StoredLoss.Key(proxyClass, node, trial);
    }

    /**
     * What counts once: a proxy that tried something. All that die at once of what all are shown
     * count as one, because any of it may have been the cause.
     */
    Object occasion() {
      return cold ? began : List.of(trial, node);
    }

    boolean concerns(ConfigObject object) {
      Long tried = shown.get(object.key());
      return tried != null && tried == object.generation();
    }
  }

  /** A number for a trial that has lost a canary. */
  long newTrial() {
    return ++lastTrial;
  }

  void add(Loss loss) {
    add(loss, losses);
    record();
  }

  /** Takes over what an earlier process stored. */
  public void restore(Collection<StoredLoss> stored) {
    Instant now = time.now();
    for (StoredLoss loss : stored) {
      lastTrial = Math.max(lastTrial, loss.key().trial());
      Duration age = Duration.between(loss.at(), now);
      recorded.put(loss.key(), loss);
      if (age.compareTo(LONGEST_STORED) < 0) {
        long at = time.nanoTime() - (age.isNegative() ? 0 : age.toNanos());
        add(
            new Loss(
                loss.key().node(),
                loss.key().proxyClass(),
                loss.isSilent(),
                loss.shown(),
                List.of(loss.key().node()),
                loss.isCold(),
                loss.key().trial(),
                at - loss.after().toNanos(),
                at,
                loss.isDeath(),
                loss.isAlone(),
                /* isRestored= */ true),
            losses);
      }
    }
    record();
  }

  /** Whether a loss would survive a crash: only then may its changes cost another proxy. */
  boolean isDurable(Loss loss) {
    return !writing.containsKey(loss.key());
  }

  /**
   * Stores what has changed since the last time. This runs at each decision of a rollout, and a
   * loss may have been shown all objects that there are: nothing here looks into one that is the
   * same as before.
   */
  @SuppressWarnings("ReferenceEquality") // a loss that has not changed is the same one
  private void record() {
    Map<StoredLoss.Key, Loss> now = new HashMap<>();
    losses.forEach(loss -> now.put(loss.key(), loss));
    for (StoredLoss.Key gone : List.copyOf(recorded.keySet())) {
      if (!now.containsKey(gone)) {
        recorded.remove(gone);
        lastRecorded.remove(gone);
        recorder.lossForgotten(gone);
      }
    }
    now.forEach(
        (key, loss) -> {
          if (lastRecorded.put(key, loss) != loss) {
            store(stored(loss));
          }
        });
  }

  private void store(StoredLoss loss) {
    StoredLoss.Key key = loss.key();
    if (!loss.equals(recorded.put(key, loss))) {
      recorder.canaryLost(loss);
      writing.merge(key, 1, Integer::sum);
      recorder.whenDurable(() -> written(key));
    }
  }

  private void written(StoredLoss.Key key) {
    writing.computeIfPresent(key, (any, writes) -> writes == 1 ? null : writes - 1);
    written.run();
  }

  private StoredLoss stored(Loss loss) {
    StoredLoss before = recorded.get(loss.key());
    return new StoredLoss(
        loss.key(),
        loss.isSilent(),
        loss.cold(),
        loss.isDeath(),
        loss.isAlone(),
        Duration.ofMillis(Duration.ofNanos(loss.at() - loss.began()).toMillis()),
        before == null
            ? time.now().minusNanos(time.nanoTime() - loss.at()).truncatedTo(ChronoUnit.MILLIS)
            : before.at(),
        StoredLoss.few(loss.shown()));
  }

  private static void add(Loss loss, List<Loss> to) {
    List<Loss> same =
        to.stream().filter(other -> other.proxyClass().equals(loss.proxyClass())).toList();
    if (same.size() >= MOST_OF_A_CLASS) {
      to.remove(same.get(0));
    } else if (to.size() == MOST) {
      to.remove(0);
    }
    to.add(loss);
  }

  public boolean isEmpty() {
    return losses.isEmpty();
  }

  List<Loss> all() {
    return Collections.unmodifiableList(losses);
  }

  /**
   * Whether a proxy was lost in a trial, also if that did not count: one that has been back since
   * then, and leaves again, leaves for another reason.
   */
  boolean hasLost(String node, long trial) {
    return Stream.concat(losses.stream(), excused.stream())
        .anyMatch(loss -> loss.node().equals(node) && loss.trial() == trial);
  }

  /** The nodes that were lost at about some time, also if that did not count. */
  Set<String> around(long at, Duration within) {
    return Stream.concat(losses.stream(), excused.stream())
        .filter(loss -> Math.abs(loss.at() - at) < within.toNanos())
        .map(Loss::node)
        .collect(toSet());
  }

  /**
   * Losses that do not count are put aside, except under changes that had enough of that: whatever
   * the reason, nobody may wait for ever.
   */
  void excuse(Predicate<Loss> which) {
    for (int i = losses.size() - 1; i >= 0; i--) {
      Loss loss = losses.get(i);
      if (which.test(loss) && excused.stream().filter(loss::isLike).count() < MOST_EXCUSES) {
        losses.remove(i);
        add(loss, excused);
      }
    }
    record();
  }

  /** A proxy has come back with nothing: whatever it was lost under, it did not survive that. */
  public void died(String node) {
    confirm(loss -> loss.node().equals(node));
  }

  /** Some canaries have come back with nothing. */
  void confirm(Predicate<Loss> which) {
    losses.replaceAll(loss -> which.test(loss) ? loss.asDeath() : loss);
    record();
  }

  /** It is known that some left alone, or with few others. */
  void alone(Predicate<Loss> which) {
    losses.replaceAll(loss -> !loss.isAlone() && which.test(loss) ? loss.asAlone() : loss);
    record();
  }

  /** An object is tried again because somebody asked for it. */
  void forget(ObjectKey key) {
    excused.removeIf(loss -> loss.shown().containsKey(key));
    losses.replaceAll(loss -> loss.without(Set.of(key)));
    losses.removeIf(loss -> loss.shown().isEmpty());
    record();
  }

  /** Some objects are to blame for losses: others that were shown together with them are not. */
  void explained(Collection<Loss> some, Set<ObjectKey> blamed) {
    Set<Long> trials = some.stream().map(Loss::trial).collect(toSet());
    losses.replaceAll(loss -> trials.contains(loss.trial()) ? loss.only(blamed) : loss);
    losses.removeIf(loss -> loss.shown().isEmpty());
    record();
  }

  /** Some classes accepted objects. */
  void accepted(Set<ObjectKey> keys, Collection<String> classes) {
    for (int i = losses.size() - 1; i >= 0; i--) {
      Loss loss = losses.get(i);
      if (classes.contains(loss.proxyClass())) {
        losses.set(i, loss.without(keys));
      }
    }
    losses.removeIf(loss -> loss.shown().isEmpty());
    record();
  }
}
