// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the minutes of rejections. */
final class IncidentLog {
  private static final int MOST_STEPS = 200;

  private final TimeSource time;
  private final Consumer<Incident> listener;
  private final Incidents incidents;
  private @Nullable Open open;

  IncidentLog(Incidents incidents, TimeSource time, Consumer<Incident> listener) {
    this.incidents = incidents;
    this.time = time;
    this.listener = listener;
  }

  private static final class Open {
    final long id;
    final Instant at;
    final long began;
    final Verdict.Refused first;
    final String reason;
    final int units;
    final List<String> steps = new ArrayList<>();
    final List<ObjectKey> culprits = new ArrayList<>();
    int pushes;

    Open(long id, Instant at, long began, Verdict.Refused first, String reason, int units) {
      this.id = id;
      this.at = at;
      this.began = began;
      this.first = first;
      this.reason = reason;
      this.units = units;
    }

    Incident incident(@Nullable Duration took) {
      return new Incident(
          id,
          at,
          first.proxyClass(),
          first.resource().id(),
          reason,
          units,
          pushes,
          steps,
          culprits,
          took);
    }
  }

  boolean isOpen() {
    return open != null;
  }

  void begin(Verdict.Refused first, String reason, int units) {
    if (open == null) {
      open = new Open(incidents.nextId(), time.now(), time.nanoTime(), first, reason, units);
      listener.accept(open.incident(null));
    }
    step("refused with " + units + " changes: " + reason);
  }

  void step(String text) {
    if (open != null && open.steps.size() < MOST_STEPS) {
      open.steps.add(text);
    }
  }

  /** Something was shown to the canaries because of it. */
  void push(List<Unit> units) {
    if (open != null) {
      open.pushes++;
      incidents.pushed();
      step("trying " + units.size() + (units.size() == 1 ? " change" : " changes"));
    }
  }

  void culprit(ObjectKey key) {
    if (open != null) {
      open.culprits.add(key);
      step(key + " is to blame");
    }
  }

  /** How many trials it has cost. */
  int pushes() {
    return open == null ? 0 : open.pushes;
  }

  /** How many have been found to blame. */
  int culprits() {
    return open == null ? 0 : open.culprits.size();
  }

  /** How many changes were under suspicion at first. */
  int units() {
    return open == null ? 0 : open.units;
  }

  Duration age() {
    return open == null ? Duration.ZERO : Duration.ofNanos(time.nanoTime() - open.began);
  }

  void end() {
    if (open != null) {
      Duration took = age();
      Incident incident = open.incident(took);
      incidents.add(incident, took);
      open = null;
      listener.accept(incident);
    }
  }

  /** The one that goes on; null if none does. */
  @Nullable Incident open() {
    return open == null ? null : open.incident(null);
  }
}
