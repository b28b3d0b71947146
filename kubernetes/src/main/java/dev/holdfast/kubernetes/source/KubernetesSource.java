// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.source;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.base.Problem;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.Generations;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.ObjectSource;
import dev.holdfast.config.Position;
import dev.holdfast.config.SourceNote;
import dev.holdfast.kubernetes.api.ApiServer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a cluster. The first report comes when every kind has been listed, or it is known
 * why it cannot be; a kind that cannot be read does not stop the others. As long as the API server
 * is away, nothing changes but the problems, which say since when the objects are stale. A source
 * that is warmed up reads everything before it has a listener, and then reports at once.
 *
 * <p>Everything happens on one loop, the listener's calls included. The cost of an event follows
 * the event, not the number of objects.
 */
public final class KubernetesSource implements ObjectSource {
  /** Watches break and come back all the time: only a longer gap is a problem. */
  private static final Duration GAP = Duration.ofSeconds(10);

  /**
   * Deletions that follow one another are reported together. A CustomResourceDefinition or a
   * namespace that is deleted takes its objects with it one by one, and the brake on mass deletions
   * has to see them all.
   */
  private static final Duration DELETIONS_REST = Duration.ofMillis(500);

  private static final Duration DELETIONS_LONGEST = Duration.ofSeconds(10);

  /** Slices come and go with every pod: none of their deletions can wait. */
  private static final String SLICE = "EndpointSlice";

  /** How soon a store that could not be written to is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Env env;
  private final Loop loop;
  private final Generations generations;
  private final Consumer<Set<ObjectKey>> seen;
  private final List<ResourceWatch> watches = new ArrayList<>();
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean closed;
  private volatile List<KindHealth> health;

  // Loop only.
  private @Nullable Listener listener;
  private @Nullable Consumer<SortedMap<ObjectKey, ConfigObject>> firstRead;
  private boolean begun;
  private final SortedMap<ObjectKey, ConfigObject> told = new TreeMap<>();
  private final SortedSet<ObjectKey> dirty = new TreeSet<>();

  /** Deleted, and not reported yet. */
  private final SortedSet<ObjectKey> deleted = new TreeSet<>();

  private long firstDeletion;
  private long lastDeletion;
  private TimeSource.@Nullable Timer deletionTimer;
  private @Nullable List<LocatedProblem> toldProblems;
  private SortedMap<ObjectKey, SourceNote> toldNotes = Collections.emptySortedMap();
  private boolean toldComplete;
  private boolean reporting;
  private @Nullable String unstored;
  private TimeSource.@Nullable Timer timer;

  /**
   * @param namespaces those that are read; none for all
   * @param seen is told of objects of which the cluster has another state, their status included
   * @param loop everything happens on it; others may share it
   */
  public KubernetesSource(
      ApiServer server,
      Set<String> namespaces,
      Generations generations,
      Consumer<Set<ObjectKey>> seen,
      Env env,
      Loop loop) {
    this.env = env;
    this.loop = loop;
    this.generations = generations;
    this.seen = seen;
    ResourceWatch.Listener changes =
        new ResourceWatch.Listener() {
          @Override
          public void onObjects(Set<ObjectKey> changed) {
            dirty.addAll(changed);
            reportLater();
          }

          @Override
          public void onHealth() {
            reportLater();
          }
        };
    Set<String> read = namespaces.isEmpty() ? Set.of("") : new TreeSet<>(namespaces);
    for (WatchedKind kind : WatchedKind.ALL) {
      for (String namespace : read) {
        watches.add(new ResourceWatch(kind, namespace, server, env, loop, changes));
      }
    }
    health = watches.stream().map(ResourceWatch::health).toList();
  }

  @Override
  public void start(Listener listener) {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("Kubernetes source: started twice (expected: once)");
    }
    loop.execute(
        () -> {
          if (!closed) {
            this.listener = listener;
            begin();
            lookAgain(GAP);
            report();
          }
        });
  }

  /**
   * Begins to read the objects, and reports nothing before it is started.
   *
   * @param read is given all objects once, when they have been read, unless the source is started
   *     before that; they have no generations yet
   */
  public void warmUp(Consumer<SortedMap<ObjectKey, ConfigObject>> read) {
    loop.execute(
        () -> {
          if (!begun) {
            firstRead = read;
          }
          begin();
        });
  }

  private void tellFirstRead() {
    Consumer<SortedMap<ObjectKey, ConfigObject>> read = firstRead;
    if (read == null) {
      return;
    }
    firstRead = null;
    if (listener == null) {
      SortedMap<ObjectKey, ConfigObject> objects = new TreeMap<>();
      for (ResourceWatch watch : watches) {
        for (ObjectKey key : watch.keys()) {
          ClusterObject object = watch.get(key);
          if (object != null) {
            objects.put(key, object.object());
          }
        }
      }
      read.accept(objects);
    }
  }

  private void begin() {
    if (!begun && !closed) {
      begun = true;
      watches.forEach(ResourceWatch::start);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    loop.execute(
        () -> {
          watches.forEach(ResourceWatch::close);
          if (timer != null) {
            timer.cancel();
          }
          if (deletionTimer != null) {
            deletionTimer.cancel();
          }
        });
  }

  /** How current each kind is. Any thread may ask. */
  public List<KindHealth> health() {
    return health;
  }

  /** What is known of an object that was reported; null if it is not there. Loop only. */
  public @Nullable KnownObject known(ObjectKey key) {
    loop.check();
    ConfigObject object = told.get(key);
    ClusterObject current = current(key);
    if (object == null || current == null) {
      return null;
    }
    return new KnownObject(
        current.object().uid(),
        current.resourceVersion(),
        current.generation(),
        object.generation(),
        current.status(),
        current.object().equals(unnumbered(object)));
  }

  private @Nullable ClusterObject current(ObjectKey key) {
    for (ResourceWatch watch : watches) {
      ClusterObject object = watch.get(key);
      if (object != null) {
        return object;
      }
    }
    return null;
  }

  // Reports.

  private void reportLater() {
    if (!reporting) {
      reporting = true;
      loop.atEndOfTurn(
          () -> {
            reporting = false;
            report();
          });
    }
  }

  private void lookAgain(Duration after) {
    if (timer != null) {
      timer.cancel();
    }
    timer =
        env.time()
            .schedule(
                after,
                () ->
                    loop.execute(
                        () -> {
                          if (!closed) {
                            lookAgain(GAP);
                            report();
                          }
                        }));
  }

  private void report() {
    health = watches.stream().map(ResourceWatch::health).toList();
    Listener to = listener;
    if (closed || !watches.stream().allMatch(ResourceWatch::isDecided)) {
      return;
    }
    tellFirstRead();
    if (to == null) {
      return;
    }
    SortedMap<ObjectKey, ConfigObject> added = new TreeMap<>();
    SortedMap<ObjectKey, ConfigObject> changed = new TreeMap<>();
    SortedSet<ObjectKey> removed = new TreeSet<>();
    SortedMap<ObjectKey, SourceNote> notes = new TreeMap<>();
    Set<ObjectKey> looked = Set.copyOf(dirty);
    try {
      collect(added, changed, removed);
      unstored = null;
    } catch (RuntimeException e) {
      unstored =
          "generations cannot be stored: "
              + e.getMessage()
              + " (changes are ignored until the store works)";
      added.clear();
      changed.clear();
      removed.clear();
      for (ObjectKey key : dirty) {
        if (told.containsKey(key)) {
          notes.put(
              key,
              new SourceNote(SourceNote.NOT_STORED, "an edit of this object waits: " + unstored));
        }
      }
      lookAgain(RETRY);
    }
    boolean complete = unstored == null && watches.stream().allMatch(ResourceWatch::isComplete);
    List<LocatedProblem> problems = problems();
    boolean nothingNew =
        added.isEmpty()
            && changed.isEmpty()
            && removed.isEmpty()
            && problems.equals(toldProblems)
            && notes.equals(toldNotes)
            && complete == toldComplete;
    if (!looked.isEmpty()) {
      seen.accept(looked);
    }
    if (nothingNew) {
      return;
    }
    toldProblems = problems;
    toldNotes = notes;
    toldComplete = complete;
    to.onChange(new ObjectChanges(added, changed, removed, problems).with(notes, complete));
  }

  /** What became different. Nothing counts as told if generations cannot be stored. */
  private void collect(
      SortedMap<ObjectKey, ConfigObject> added,
      SortedMap<ObjectKey, ConfigObject> changed,
      SortedSet<ObjectKey> removed) {
    Map<ObjectKey, ConfigObject> unnumbered = new HashMap<>();
    Map<ObjectKey, String> digests = new HashMap<>();
    Map<ObjectKey, Long> counted = new HashMap<>();
    collectDeletions(removed);
    for (ObjectKey key : dirty) {
      ClusterObject current = current(key);
      ConfigObject before = told.get(key);
      if (current == null) {
        continue;
      }
      ConfigObject object = current.object();
      if (before == null || !object.equals(unnumbered(before))) {
        unnumbered.put(key, object);
        digests.put(key, Digest.of(object.body()));
        counted.put(key, current.generation());
      }
    }
    if (!digests.isEmpty() || unstored != null) {
      Map<ObjectKey, Generations.Generation> assigned =
          generations.assign(digests, counted, env.time().now());
      for (Map.Entry<ObjectKey, ConfigObject> entry : unnumbered.entrySet()) {
        Generations.Generation generation = assigned.get(entry.getKey());
        if (generation == null) {
          throw new IllegalStateException("the store did not return the requested generations");
        }
        ConfigObject object = entry.getValue();
        ConfigObject numbered = object.with(generation.number(), object.created());
        (told.containsKey(entry.getKey()) ? changed : added).put(entry.getKey(), numbered);
      }
    }
    told.putAll(added);
    told.putAll(changed);
    told.keySet().removeAll(removed);
    deleted.removeAll(removed);
    dirty.clear();
  }

  /** The deletions that are to be reported now; the others wait for those that follow them. */
  private void collectDeletions(SortedSet<ObjectKey> removed) {
    long now = env.time().nanoTime();
    deleted.removeIf(key -> current(key) != null); // it is back
    for (ObjectKey key : dirty) {
      if (current(key) != null || !told.containsKey(key)) {
        continue;
      }
      if (key.kind().equals(SLICE)) {
        removed.add(key);
      } else if (deleted.add(key)) {
        firstDeletion = deleted.size() == 1 ? now : firstDeletion;
        lastDeletion = now;
      }
    }
    if (deleted.isEmpty()) {
      return;
    }
    long due =
        Math.min(
            lastDeletion + DELETIONS_REST.toNanos(), firstDeletion + DELETIONS_LONGEST.toNanos());
    if (now >= due) {
      removed.addAll(deleted);
    } else {
      if (deletionTimer != null) {
        deletionTimer.cancel();
      }
      deletionTimer =
          env.time().schedule(Duration.ofNanos(due - now), () -> loop.execute(this::report));
    }
  }

  private static ConfigObject unnumbered(ConfigObject object) {
    return object.with(1, object.created());
  }

  private List<LocatedProblem> problems() {
    List<LocatedProblem> problems = new ArrayList<>();
    if (unstored != null) {
      problems.add(problem("kubernetes", unstored));
    }
    for (ResourceWatch watch : watches) {
      KindHealth each = watch.health();
      String place =
          each.kind().plural() + (each.namespace().isEmpty() ? "" : "/" + each.namespace());
      String since = each.since().truncatedTo(ChronoUnit.SECONDS).toString();
      switch (each.state()) {
        case LISTING, CURRENT -> {}
        case STALE -> {
          if (Duration.between(each.since(), env.time().now()).compareTo(GAP) >= 0) {
            problems.add(
                problem(
                    place,
                    "not up to date since "
                        + since
                        + ": "
                        + each.reason()
                        + " (what was read before stays in force)"));
          }
        }
        case UNKNOWN_KIND -> problems.add(problem(place, each.reason()));
        case FORBIDDEN ->
            problems.add(
                problem(
                    place,
                    each.reason() + " (expected: get, list and watch are allowed; see the docs)"));
      }
    }
    return problems;
  }

  private static LocatedProblem problem(String place, String message) {
    return new LocatedProblem(
        new Problem("", Problem.Kind.UNDECODABLE, message), Position.of(place));
  }
}
