// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a directory tree, watched. A file that cannot be read or understood keeps its
 * objects as they were, and so does a tree that is out of sight; see {@link FileTree}. A file that
 * is being written is not read before it has come to rest; see {@link DirectoryScan}. Those who
 * write files are best off writing them under another name and renaming them: of a file that rests
 * where a document might end, nobody can tell that it is not finished.
 *
 * <p>Everything happens on one loop, the listener's calls included. The file system is asked by a
 * timer whether something happened rather than waited for on a thread: threads come from the {@link
 * Env}, which has none to spare for waiting.
 */
public final class FileSource implements ObjectSource {
  /** How soon a store that could not be written to is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final Path root;
  private final Placement placement;
  private final WatchTimings watching;
  private final Env env;
  private final Loop loop;
  private final GenerationAssigner numbering;
  private final DirectoryScan directory;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean closed;

  // Loop only.
  private @Nullable Listener listener;
  private @Nullable DirectoryWatcher watch;
  private TimeSource.@Nullable Timer timer;
  private FileTree tree = FileTree.EMPTY;
  private SortedMap<ObjectKey, ConfigObject> told = Collections.emptySortedMap();
  private @Nullable List<LocatedProblem> toldProblems;
  private SortedMap<ObjectKey, SourceNote> toldNotes = Collections.emptySortedMap();
  private boolean toldComplete;
  private @Nullable Duration retryAt;
  private final ScanSchedule schedule;

  /** One of a tree of the usual size. */
  public FileSource(Path root, Generations generations, WatchTimings watching, Env env) {
    this(root, TreeLimits.defaults(), generations, watching, env);
  }

  /** One whose files may hold all objects. */
  public FileSource(
      Path root, TreeLimits limits, Generations generations, WatchTimings watching, Env env) {
    this(root, limits, Placement.ANYWHERE, generations, watching, env);
  }

  public FileSource(
      Path root,
      TreeLimits limits,
      Placement placement,
      Generations generations,
      WatchTimings watching,
      Env env) {
    this.root = root;
    this.placement = placement;
    this.watching = watching;
    this.env = env;
    loop = new Loop(env.executor(), FileSource::uncaught);
    numbering = new GenerationAssigner(generations);
    directory = new DirectoryScan(root, limits, watching);
    schedule = new ScanSchedule(watching);
  }

  private static void uncaught(Throwable e) {
    Thread thread = Thread.currentThread();
    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
  }

  @Override
  public void start(Listener listener) {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException("source of " + root + ": started twice (expected: once)");
    }
    loop.execute(
        () -> {
          if (closed) {
            return;
          }
          this.listener = listener;
          watch = new DirectoryWatcher(root);
          schedule();
          look();
        });
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    loop.execute(
        () -> {
          if (timer != null) {
            timer.cancel();
          }
          if (watch != null) {
            watch.close();
          }
        });
  }

  private void schedule() {
    timer = env.time().schedule(watching.tick(), () -> loop.execute(this::tick));
  }

  private void tick() {
    if (closed || watch == null) {
      return;
    }
    schedule(); // first: whatever goes wrong below, there is a next time
    boolean isRetry = retryAt != null && now().compareTo(retryAt) >= 0;
    if (schedule.due(watch.happened(), now()) || isRetry) {
      look();
    }
  }

  private void look() {
    if (watch == null) {
      return;
    }
    schedule.looked(now());
    ScanResult scan = directory.scan(env.time().now(), now());
    if (watch.watch(scan.directories()) || scan.settling()) {
      schedule.lookAgain(now());
    }
    ProblemCollector collector = new ProblemCollector();
    watch.report(collector);
    FileTree next = tree;
    SortedMap<ObjectKey, ConfigObject> objects;
    SortedMap<ObjectKey, SourceNote> notes;
    boolean complete;
    try {
      next = tree.after(scan, numbering::digests, this::placement);
      objects = numbering.number(next.objects(), env.time().now());
      tree = next;
      notes = next.notes();
      complete = next.complete();
      retryAt = null;
    } catch (RuntimeException e) {
      String reason =
          "generations cannot be stored: "
              + e.getMessage()
              + " (changes are ignored until the store works)";
      collector.undecodable(Position.of(root.toString()), reason);
      objects = told;
      notes = waiting(next.objects(), reason);
      complete = false;
      retryAt = now().plus(RETRY);
    }
    List<LocatedProblem> problems = new ArrayList<>(collector.list());
    problems.addAll(next.problems());
    ObjectChanges changes = ObjectChanges.between(told, objects, problems).with(notes, complete);
    told = objects;
    tell(changes);
  }

  private @Nullable String placement(String file, ObjectKey key) {
    return placement.problem(root.relativize(Path.of(file)), key);
  }

  /** What is to be said of the objects that would be others if they could be numbered. */
  private SortedMap<ObjectKey, SourceNote> waiting(
      SortedMap<ObjectKey, ConfigObject> wanted, String reason) {
    SortedMap<ObjectKey, SourceNote> notes = new TreeMap<>(tree.notes());
    told.forEach(
        (key, object) -> {
          ConfigObject next = wanted.get(key);
          if (next == null || isAnother(next, object)) {
            notes.put(
                key,
                new SourceNote(SourceNote.NOT_STORED, "an edit of this object waits: " + reason));
          }
        });
    return notes;
  }

  private static boolean isAnother(ConfigObject next, ConfigObject object) {
    return !next.body().equals(object.body())
        && !Digest.of(next.body()).equals(Digest.of(object.body())); // not only at another place
  }

  private void tell(ObjectChanges changes) {
    boolean nothingNew =
        changes.hasNoObjectChanges()
            && changes.problems().equals(toldProblems)
            && changes.notes().equals(toldNotes)
            // That there may be more objects matters when some are told, or when it is over.
            && (!changes.complete() || toldComplete);
    if (nothingNew) {
      return;
    }
    toldProblems = changes.problems();
    toldNotes = changes.notes();
    toldComplete = changes.complete();
    if (!closed && listener != null) {
      listener.onChange(changes);
    }
  }

  private Duration now() {
    return Duration.ofNanos(env.time().nanoTime());
  }
}
