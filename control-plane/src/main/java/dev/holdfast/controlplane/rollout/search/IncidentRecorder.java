// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.search;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.rollout.selection.Trial;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records the incident under way, step by step. */
public final class IncidentRecorder {
  /** A search for twenty bad objects among a thousand takes about 420 steps. */
  public static final int MOST_STEPS = 500;

  public static final String MORE_STEPS = "more steps, which are not recorded";
  private static final int MOST_PUSHES = 250;

  private final TimeSource time;
  private final Consumer<Incident> listener;
  private final IncidentArchive archive;
  private @Nullable Open open;

  public IncidentRecorder(IncidentArchive archive, TimeSource time, Consumer<Incident> listener) {
    this.archive = archive;
    this.time = time;
    this.listener = listener;
  }

  private static final class Open {
    final long id;
    final Instant at;
    final long began;
    final String proxyClass;
    final ResourceId resource;
    final String reason;
    final int changes;
    final List<Incident.Push> pushed = new ArrayList<>();
    final List<String> steps = new ArrayList<>();
    final List<Incident.Offender> offenders = new ArrayList<>();
    int pushes;

    Open(
        long id,
        Instant at,
        long began,
        String proxyClass,
        ResourceId resource,
        String reason,
        int changes) {
      this.id = id;
      this.at = at;
      this.began = began;
      this.proxyClass = proxyClass;
      this.resource = resource;
      this.reason = reason;
      this.changes = changes;
    }

    Incident incident(@Nullable Duration took) {
      return new Incident(
          id, at, proxyClass, resource, reason, changes, pushes, pushed, steps, offenders, took);
    }

    void push(Duration after, int changes, Collection<String> canaries) {
      answer(Incident.Answer.NONE);
      if (pushed.size() < MOST_PUSHES) {
        List<String> nodes = canaries.stream().sorted().toList();
        pushed.add(new Incident.Push(after, changes, nodes, Incident.Answer.OPEN));
      }
    }

    /** Records the answer on the last trial, unless it is known already. */
    void answer(Incident.Answer answer) {
      int last = pushed.size() - 1;
      if (last >= 0 && pushed.get(last).answer() == Incident.Answer.OPEN) {
        Incident.Push push = pushed.get(last);
        pushed.set(last, new Incident.Push(push.after(), push.changes(), push.canaries(), answer));
      }
    }
  }

  boolean isOpen() {
    return open != null;
  }

  /**
   * A trial was refused that is not a step of a search.
   *
   * @param reason the proxy's error text, sanitised
   */
  public void begin(Verdict.Refused first, String reason, Trial trial) {
    int tried = trial.bundles().size();
    if (open == null) {
      open =
          new Open(
              archive.nextId(),
              time.now(),
              time.nanoTime(),
              first.proxyClass(),
              first.resource().id(),
              reason,
              tried);
      open.push(Duration.ZERO, tried, trial.nodes());
      listener.accept(open.incident(null));
    }
    open.answer(Incident.Answer.REFUSED);
    step("refused with " + changes(tried) + ": " + reason);
  }

  private static String changes(int count) {
    return count + (count == 1 ? " change" : " changes");
  }

  /** Canaries were lost under a change. */
  public void lost(Evidence evidence, int tried) {
    if (open == null) {
      open =
          new Open(
              archive.nextId(),
              time.now(),
              time.nanoTime(),
              evidence.proxyClass(),
              evidence.resource(),
              evidence.message(),
              tried);
      listener.accept(open.incident(null));
    }
    step("lost proxies with " + changes(tried) + ": " + evidence.message());
  }

  /** A step of the search was refused. */
  public void refused() {
    if (open != null) {
      open.answer(Incident.Answer.REFUSED);
      step("refused");
    }
  }

  /** A trial was accepted. */
  public void accepted() {
    if (open != null) {
      open.answer(Incident.Answer.ACCEPTED);
      step("accepted");
    }
  }

  public void step(String text) {
    if (open != null && open.steps.size() < MOST_STEPS) {
      open.steps.add(open.steps.size() < MOST_STEPS - 1 ? text : MORE_STEPS);
    }
  }

  /** A trial was shown to canaries. */
  public void push(List<Bundle> bundles, Collection<String> canaries) {
    if (open != null) {
      open.pushes++;
      open.push(age(), bundles.size(), canaries);
      archive.pushed();
      step("trying " + changes(bundles.size()));
    }
  }

  public void offenderFound(ConfigObject object, Evidence evidence) {
    if (open != null) {
      open.offenders.add(new Incident.Offender(object.key(), object.generation(), evidence));
      step(object.key() + " caused the rejection");
    }
  }

  /**
   * Whether the search has used up its trials or its time: twice what a single offender needs, for
   * each that was found and one more.
   */
  public boolean isOverBudget(Duration searchTime) {
    if (open == null) {
      return false;
    }
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, open.changes));
    int most = (2 * bits + 8) * (1 + open.offenders.size());
    return open.pushes > most || age().compareTo(searchTime) > 0;
  }

  private Duration age() {
    return open == null ? Duration.ZERO : Duration.ofNanos(time.nanoTime() - open.began);
  }

  public void end() {
    if (open != null) {
      open.answer(Incident.Answer.NONE);
      Duration took = age();
      Incident incident = open.incident(took);
      archive.add(incident, took);
      open = null;
      listener.accept(incident);
    }
  }

  /** The incident under way; null if there is none. */
  public @Nullable Incident open() {
    return open == null ? null : open.incident(null);
  }
}
