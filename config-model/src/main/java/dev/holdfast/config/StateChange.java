// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a store is to make durable at once.
 *
 * @param accepted the last accepted generations
 * @param byClass what single classes of proxies are served instead
 * @param classes when each class of proxies was last seen
 * @param rejections what counts as refused
 * @param statuses what is said of objects
 * @param held the version of all that it asks for of a type that a proxy holds for certain
 * @param history what happened, oldest first; the store gives the ids
 */
public record StateChange(
    Edits<ObjectKey, AcceptedSpec> accepted,
    Edits<ClassSpec.Key, ClassSpec> byClass,
    Edits<String, Instant> classes,
    Edits<Rejection.Key, Rejection> rejections,
    Edits<ObjectKey, StoredStatus> statuses,
    Edits<Holder, String> held,
    List<HistoryEntry> history) {
  public StateChange {
    requireNonNull(accepted, "accepted");
    requireNonNull(byClass, "byClass");
    requireNonNull(classes, "classes");
    requireNonNull(rejections, "rejections");
    requireNonNull(statuses, "statuses");
    requireNonNull(held, "held");
    history = List.copyOf(history);
    for (HistoryEntry entry : history) {
      if (entry.id() != 0) {
        throw new IllegalArgumentException(
            "id: " + entry.id() + " (expected: 0 before it is stored)");
      }
    }
    accepted.put().forEach((key, spec) -> check(key, spec.object().key()));
    byClass.put().forEach((key, spec) -> check(key, spec.key()));
    rejections.put().forEach((key, rejection) -> check(key, rejection.key()));
  }

  private static void check(Object key, Object named) {
    if (!key.equals(named)) {
      throw new IllegalArgumentException("key: " + key + " (expected: " + named + ")");
    }
  }

  /** Nothing is to be done. */
  public boolean isEmpty() {
    return accepted.isEmpty()
        && byClass.isEmpty()
        && classes.isEmpty()
        && rejections.isEmpty()
        && statuses.isEmpty()
        && held.isEmpty()
        && history.isEmpty();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects a change; of two edits of the same thing the later one counts. Not thread-safe. */
  public static final class Builder {
    private final Edits.Builder<ObjectKey, AcceptedSpec> accepted = new Edits.Builder<>();
    private final Edits.Builder<ClassSpec.Key, ClassSpec> byClass = new Edits.Builder<>();
    private final Edits.Builder<String, Instant> classes = new Edits.Builder<>();
    private final Edits.Builder<Rejection.Key, Rejection> rejections = new Edits.Builder<>();
    private final Edits.Builder<ObjectKey, StoredStatus> statuses = new Edits.Builder<>();
    private final Edits.Builder<Holder, String> held = new Edits.Builder<>();
    private final List<HistoryEntry> history = new ArrayList<>();

    private Builder() {}

    /** This is now the last accepted generation of its object. */
    public Builder putAccepted(AcceptedSpec spec) {
      accepted.put(spec.object().key(), spec);
      return this;
    }

    /** There is no accepted generation of this object any more. */
    public Builder removeAccepted(ObjectKey key) {
      accepted.remove(key);
      return this;
    }

    /** This is what a class of proxies is served of an object. */
    public Builder putByClass(ClassSpec spec) {
      byClass.put(spec.key(), spec);
      return this;
    }

    /** A class of proxies is served of an object what the others are. */
    public Builder removeByClass(ClassSpec.Key key) {
      byClass.remove(key);
      return this;
    }

    /** A class of proxies was seen. */
    public Builder putClass(String proxyClass, Instant at) {
      classes.put(proxyClass, at);
      return this;
    }

    /** A class of proxies was not seen for so long that it counts as gone. */
    public Builder removeClass(String proxyClass) {
      classes.remove(proxyClass);
      return this;
    }

    /** This was refused. */
    public Builder putRejection(Rejection rejection) {
      rejections.put(rejection.key(), rejection);
      return this;
    }

    /** That this was refused does not count any more. */
    public Builder removeRejection(Rejection.Key key) {
      rejections.remove(key);
      return this;
    }

    /** This is now said of an object. */
    public Builder putStatus(ObjectKey key, StoredStatus status) {
      statuses.put(key, status);
      return this;
    }

    /** Nothing is said of this object any more. */
    public Builder removeStatus(ObjectKey key) {
      statuses.remove(key);
      return this;
    }

    /** A proxy holds all that it asks for of a type, in this version. */
    public Builder putHeld(Holder holder, String version) {
      held.put(holder, version);
      return this;
    }

    /** What a proxy holds of a type is not certain any more. */
    public Builder removeHeld(Holder holder) {
      held.remove(holder);
      return this;
    }

    /** Leaves out what happened first, if there is more than this. */
    public Builder keepNewestHistory(int most) {
      if (history.size() > most) {
        history.subList(0, history.size() - most).clear();
      }
      return this;
    }

    /** This happened, after what was appended before. */
    public Builder append(HistoryEntry entry) {
      history.add(entry);
      return this;
    }

    /** All of a later change on top of this one. */
    public Builder add(StateChange later) {
      accepted.add(later.accepted());
      byClass.add(later.byClass());
      classes.add(later.classes());
      rejections.add(later.rejections());
      statuses.add(later.statuses());
      held.add(later.held());
      history.addAll(later.history());
      return this;
    }

    /** Nothing was collected. */
    public boolean isEmpty() {
      return accepted.isEmpty()
          && byClass.isEmpty()
          && classes.isEmpty()
          && rejections.isEmpty()
          && statuses.isEmpty()
          && held.isEmpty()
          && history.isEmpty();
    }

    public StateChange build() {
      return new StateChange(
          accepted.build(),
          byClass.build(),
          classes.build(),
          rejections.build(),
          statuses.build(),
          held.build(),
          history);
    }
  }
}
