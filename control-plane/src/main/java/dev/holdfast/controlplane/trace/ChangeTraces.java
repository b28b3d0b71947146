// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.trace;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows changes of objects and makes spans of what it is told: one trace for each generation of
 * each object, from the moment it was read to the moment its status is durable. It decides nothing
 * and never fails: a change that it does not know, or of which it hears things in an odd order,
 * costs a span. Without a sink it does nothing at all. Loop only.
 *
 * <p>Parts of a {@code change}: {@code source}, {@code translate}, {@code trial} with its {@code
 * verdict}s, {@code search} with those of its trials, {@code commit}, {@code status}.
 */
public final class ChangeTraces {
  static final String OBJECT = "holdfast.object";
  static final String GENERATION = "holdfast.generation";
  static final String NODE = "holdfast.node";
  static final String CLASS = "holdfast.class";
  static final String TYPE = "holdfast.resource_type";
  static final String OUTCOME = "holdfast.outcome";
  static final String REASON = "holdfast.reason";
  static final String SERVED = "holdfast.served_generation";
  static final String INCIDENT = "holdfast.incident";
  static final String CANARIES = "holdfast.canaries";
  static final String VERDICTS = "holdfast.verdicts_without_span";

  /** How many changes are followed at once; of more, the oldest are given up. */
  static final int MOST_CHANGES = 1_000;

  /** How many answers of proxies to one change have spans. */
  static final int MOST_VERDICTS = 32;

  /** Above this, finding out what an answer is about would cost more than the answer. */
  private static final int MOST_RESOURCES = 256;

  /** A change that has no status by then, because there are no proxies for example, ends. */
  static final Duration LONGEST = Duration.ofMinutes(10);

  private final TimeSource time;
  private final LongSupplier ids;
  private final Map<ObjectKey, OpenTrace> open = new LinkedHashMap<>();
  private @Nullable Consumer<TraceSpan> sink;

  /**
   * @param ids random numbers; asked only when there is a sink
   */
  public ChangeTraces(TimeSource time, LongSupplier ids) {
    this.time = time;
    this.ids = ids;
  }

  /**
   * Follows changes from now on.
   *
   * @param spans takes them on the loop, so it must not wait. If it throws, nothing is followed any
   *     more
   * @param onError is told what it threw
   */
  public void start(Consumer<TraceSpan> spans, Consumer<RuntimeException> onError) {
    sink =
        span -> {
          if (sink == null) {
            return;
          }
          try {
            spans.accept(span);
          } catch (RuntimeException e) {
            sink = null;
            onError.accept(e);
          }
        };
  }

  /** Whether anybody wants spans. */
  public boolean isOn() {
    return sink != null;
  }

  /**
   * New generations of objects were read, and are about to be translated.
   *
   * @param received when the source reported them
   */
  public void changed(Collection<ConfigObject> objects, Instant received) {
    Consumer<TraceSpan> spans = sink;
    if (spans == null) {
      return;
    }
    Instant now = time.now();
    giveUp(now);
    for (ConfigObject object : objects) {
      OpenTrace before = open.get(object.key());
      if (before != null) {
        end(before, now, "superseded", "");
      }
      OpenTrace trace = new OpenTrace(object.key(), object.generation(), received, ids, spans);
      trace.end(trace.begin("source", received), now, "");
      trace.translate = trace.begin("translate", now);
      open.put(object.key(), trace);
    }
  }

  /** They are translated, if nothing has told of them yet. */
  public void translated(Collection<ConfigObject> objects) {
    of(objects).forEach(this::endTranslation);
  }

  private void endTranslation(OpenTrace trace) {
    trace.end(trace.translate, time.now(), "");
    trace.translate = null;
  }

  private void giveUp(Instant now) {
    List<OpenTrace> old = new ArrayList<>();
    int tooMany = open.size() - MOST_CHANGES;
    for (OpenTrace trace : open.values()) {
      if (tooMany-- <= 0 && trace.whole.start.plus(LONGEST).isAfter(now)) {
        break;
      }
      old.add(trace);
    }
    old.forEach(trace -> end(trace, now, "open", ""));
  }

  /** Objects are shown to canaries. */
  public void trying(Collection<ConfigObject> objects, Collection<String> canaries) {
    for (OpenTrace trace : of(objects)) {
      endTranslation(trace);
      trace.end(trace.trial, time.now(), "");
      trace.trial = trace.begin("trial", time.now());
      trace.trial.attributes.put(CANARIES, String.join(",", new TreeSet<>(canaries)));
    }
  }

  /** A proxy runs other resources than before. */
  public void accepted(
      String node,
      String proxyClass,
      ResourceType type,
      ResourceTable before,
      ResourceTable now,
      Duration took) {
    if (open.isEmpty() || Math.abs(now.size() - before.size()) > MOST_RESOURCES) {
      return;
    }
    SortedSet<ObjectKey> about = new TreeSet<>();
    ResourceTable.diff(
        before,
        now,
        (name, from, to) ->
            PersistentMap.diff(
                parts(from),
                parts(to),
                (key, was, is) -> {
                  if (open.containsKey(key)) {
                    about.add(key);
                  }
                }));
    for (ObjectKey key : about) {
      verdict(open.get(key), node, proxyClass, type, time.now().minus(took), "");
    }
  }

  private static PersistentMap<ObjectKey, String> parts(@Nullable Resource resource) {
    return resource == null ? PersistentMap.empty() : resource.contributions();
  }

  /**
   * A proxy rejected resources.
   *
   * @param message the proxy's words, fit to be shown
   */
  public void rejected(
      String node, String proxyClass, ResourceType type, List<Resource> resources, String message) {
    if (open.isEmpty()) {
      return;
    }
    for (OpenTrace trace : List.copyOf(open.values())) {
      ObjectKey key = trace.key;
      if (resources.stream().anyMatch(resource -> resource.contributions().containsKey(key))) {
        // The stream does not say when it was asked; the trial is when it was first shown this.
        Instant start = trace.trial == null ? time.now() : trace.trial.start;
        verdict(trace, node, proxyClass, type, start, message);
      }
    }
  }

  private void verdict(
      @Nullable OpenTrace trace,
      String node,
      String proxyClass,
      ResourceType type,
      Instant start,
      String error) {
    if (trace == null) {
      return;
    }
    if (trace.verdicts == MOST_VERDICTS) {
      trace.uncounted++;
      return;
    }
    trace.verdicts++;
    OpenTrace.Part part = trace.beginIn(trace.current(), "verdict", start);
    part.attributes.put(NODE, node);
    part.attributes.put(CLASS, proxyClass);
    part.attributes.put(TYPE, type.word());
    part.attributes.put(OUTCOME, error.isEmpty() ? "accepted" : "rejected");
    trace.end(part, time.now(), error);
  }

  /** A rejection is looked into: of all that is being tried, or it is over. */
  public void incident(long id, boolean isOver) {
    for (OpenTrace trace : open.values()) {
      if (!isOver && trace.search == null && trace.trial != null) {
        trace.search = trace.begin("search", time.now());
        trace.search.attributes.put(INCIDENT, Long.toString(id));
        trace.whole.attributes.put(INCIDENT, Long.toString(id));
      } else if (isOver && trace.search != null && isOf(trace.search, id)) {
        trace.end(trace.search, time.now(), "");
        trace.search = null;
      }
    }
  }

  private static boolean isOf(OpenTrace.Part search, long id) {
    return Long.toString(id).equals(search.attributes.get(INCIDENT));
  }

  /** Objects are in the baseline, which is not yet durable. */
  public void committed(Collection<ConfigObject> objects) {
    for (OpenTrace trace : of(objects)) {
      endTrial(trace, "accepted", "");
      trace.commit = trace.begin("commit", time.now());
    }
  }

  /** What was committed is durable. */
  public void durable(Collection<ConfigObject> objects) {
    for (OpenTrace trace : of(objects)) {
      trace.end(trace.commit, time.now(), "");
      if (trace.commit != null) {
        trace.commit = null;
        trace.status = trace.begin("status", time.now());
      }
    }
  }

  /**
   * An object is held.
   *
   * @param served the generation that is served meanwhile; 0 if none is
   * @param reason a word
   * @param message why, fit to be shown
   */
  public void held(ObjectKey key, long generation, long served, String reason, String message) {
    OpenTrace trace = open.get(key);
    if (trace == null || trace.generation != generation) {
      return;
    }
    trace.whole.attributes.put(REASON, reason);
    trace.whole.attributes.put(SERVED, Long.toString(served));
    endTrial(trace, "held", message);
    if (trace.status == null) {
      trace.status = trace.begin("status", time.now());
    }
  }

  private void endTrial(OpenTrace trace, String outcome, String error) {
    endTranslation(trace);
    trace.end(trace.search, time.now(), "");
    trace.search = null;
    if (trace.trial != null) {
      trace.trial.attributes.put(OUTCOME, outcome);
      trace.end(trace.trial, time.now(), error);
      trace.trial = null;
    }
  }

  /**
   * The status of an object is durable and shown, and the way of its newest generation is over.
   *
   * @param error what its author is told; empty if it is served
   */
  public void shown(ObjectKey key, long generation, String error) {
    OpenTrace trace = open.get(key);
    if (trace != null && trace.generation == generation) {
      end(trace, time.now(), error.isEmpty() ? "in force" : "held", error);
    }
  }

  private void end(OpenTrace trace, Instant now, String outcome, String error) {
    endTrial(trace, outcome, error);
    trace.end(trace.commit, now, "");
    trace.end(trace.status, now, error);
    trace.whole.attributes.put(OUTCOME, outcome);
    if (trace.uncounted > 0) {
      trace.whole.attributes.put(VERDICTS, Long.toString(trace.uncounted));
    }
    trace.end(trace.whole, now, error);
    open.remove(trace.key);
  }

  private List<OpenTrace> of(Collection<ConfigObject> objects) {
    if (open.isEmpty()) {
      return List.of();
    }
    List<OpenTrace> traces = new ArrayList<>();
    for (ConfigObject object : objects) {
      OpenTrace trace = open.get(object.key());
      if (trace != null && trace.generation == object.generation()) {
        traces.add(trace);
      }
    }
    return traces;
  }
}
