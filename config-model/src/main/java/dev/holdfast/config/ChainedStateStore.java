// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import dev.holdfast.config.RecordSpace.Entry;
import dev.holdfast.config.RecordSpace.NoAnswerException;
import dev.holdfast.config.StateStoreException.Kind;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A state in a remote place of small records ({@link RecordSpace}), of which one can be replaced by
 * compare-and-swap.
 *
 * <pre>
 *   root  --tail-->  step 7  --previous-->  step 6  --previous-->  step 5 (all until then)
 * </pre>
 *
 * <p>A step is one or more records that never change. A commit writes its step, which nobody sees,
 * and then moves the root to it, by compare-and-swap: that is the moment at which it counts. From
 * time to time a step holds everything until then, and what came before is deleted.
 *
 * <p>Whoever opens the state writes its own name into the root. Another process that had it open
 * finds out with its next write, which is refused, and never writes again: so a leader that was
 * paused cannot undo what its successor did. If a write to the root gets no answer, the root is
 * read again before the next one; a step that arrived late and was reported as failed is passed
 * over by the step after it.
 *
 * <p>All that is stored is also in memory. Calls block; the caller has a thread for it.
 */
public final class ChainedStateStore implements StateStore {
  private static final String FORMAT = "1";
  private static final int TRIES = 3;

  private final RecordSpace space;
  private final String name;
  private final String writer;
  private final CompactionSettings settings;

  private final SortedMap<ObjectKey, Generations.Generation> generations = new TreeMap<>();
  private final StateMemory memory;
  private Entry root;

  /** The record that the root leads to, as far as this process knows. */
  private String tail;

  private long sequence;

  /** The names of all records that lead to the tail. */
  private final List<String> records = new ArrayList<>();

  private int recordsSinceSnapshot;

  /** What is being put into one step; null if nothing is. */
  private @Nullable Compaction compaction;

  /** Whether a write to the root got no answer, so that it must be read before the next one. */
  private boolean isRootUnknown;

  private @Nullable StateStoreException ended;

  private ChainedStateStore(
      RecordSpace space,
      String name,
      String writer,
      int historyLimit,
      CompactionSettings settings,
      Entry root) {
    this.space = space;
    this.name = name;
    this.writer = writer;
    this.settings = settings;
    this.root = root;
    this.tail = root.data().getOrDefault("tail", "");
    this.memory = new StateMemory(historyLimit);
  }

  /**
   * Opens a state, and takes it away from whoever has it open.
   *
   * @param name of the root; the names of all other records begin with it
   * @param historyLimit how many entries the history keeps: all of it is in memory
   */
  public static ChainedStateStore open(
      RecordSpace space, String name, int historyLimit, CompactionSettings settings) {
    String writer = UUID.randomUUID().toString();
    for (int attempt = 1; ; attempt++) {
      try {
        ChainedStateStore store = claim(space, name, writer, historyLimit, settings);
        if (store != null) {
          store.read();
          return store;
        }
        if (attempt >= TRIES) {
          throw new StateStoreException(
              Kind.IN_USE,
              "state in "
                  + space.place()
                  + ": another process writes to it (expected: one leader)");
        }
      } catch (NoAnswerException e) {
        if (attempt >= TRIES) {
          throw new StateStoreException(
              Kind.UNUSABLE, "state in " + space.place() + ": " + e.getMessage(), e);
        }
      }
    }
  }

  /** Null if somebody else wrote to the root at the same time. */
  private static @Nullable ChainedStateStore claim(
      RecordSpace space, String name, String writer, int historyLimit, CompactionSettings settings)
      throws NoAnswerException {
    Entry root = space.get(name);
    Map<String, String> data = new TreeMap<>();
    data.put("format", FORMAT);
    data.put("tail", "");
    if (root != null) {
      String format = root.data().getOrDefault("format", "");
      if (!format.equals(FORMAT)) {
        throw new StateStoreException(
            format.isEmpty() ? Kind.FOREIGN : Kind.TOO_NEW,
            "state in "
                + space.place()
                + (format.isEmpty()
                    ? ": not written by Holdfast"
                    : ": has format "
                        + format
                        + " (expected: "
                        + FORMAT
                        + "; use a newer Holdfast)"));
      }
      data.putAll(root.data());
    }
    data.put("writer", writer);
    Entry mine = root == null ? space.create(name, data) : space.swap(root, data, Map.of());
    return mine == null
        ? null
        : new ChainedStateStore(space, name, writer, historyLimit, settings, mine);
  }

  // Reading.

  private void read() throws NoAnswerException {
    SortedMap<String, Entry> all = space.list();
    List<List<Entry>> chain = new ArrayList<>();
    Set<String> used = new HashSet<>();
    used.add(name);
    String next = tail;
    while (!next.isEmpty()) {
      List<Entry> parts = parts(all, next);
      chain.add(parts);
      parts.forEach(part -> used.add(part.name()));
      next = parts.get(0).data().getOrDefault("previous", "");
    }
    Collections.reverse(chain);
    for (List<Entry> parts : chain) {
      replay(parts);
      parts.forEach(part -> records.add(part.name()));
    }
    recordsSinceSnapshot = chain.size();
    for (String each : all.keySet()) {
      sequence = Math.max(sequence, sequenceOf(each));
    }
    List<String> garbage = new ArrayList<>(all.keySet());
    garbage.removeAll(used);
    space.delete(garbage);
  }

  private List<Entry> parts(Map<String, Entry> all, String first) {
    List<Entry> parts = new ArrayList<>();
    String part = first;
    while (!part.isEmpty()) {
      Entry entry = all.get(part);
      if (entry == null) {
        throw damaged(part + " is missing");
      }
      parts.add(entry);
      part = entry.data().getOrDefault("next", "");
    }
    return parts;
  }

  private void replay(List<Entry> parts) {
    SortedMap<String, String> head = parts.get(0).data();
    try {
      String text =
          StateRecord.text(
              parts.stream().map(part -> part.data().getOrDefault("content", "")).toList());
      switch (StateRecord.Kind.valueOf(head.getOrDefault("kind", ""))) {
        case CHANGE -> {
          long base = Long.parseLong(head.getOrDefault("historyBase", "0"));
          memory.apply(StateText.parse(text), base);
        }
        case GENERATIONS -> generations.putAll(StateText.parseGenerations(text));
      }
    } catch (IOException | IllegalArgumentException e) {
      throw damaged(parts.get(0).name() + " cannot be read: " + e.getMessage());
    }
  }

  private StateStoreException damaged(String what) {
    return new StateStoreException(
        Kind.DAMAGED,
        "state in "
            + space.place()
            + ": "
            + what
            + " (to start without state, "
            + space.howToDelete()
            + ")");
  }

  private long sequenceOf(String record) {
    String[] words = record.substring(Math.min(record.length(), name.length())).split("-", -1);
    try {
      return words.length < 2 ? 0 : Long.parseLong(words[1]);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  // Writing.

  @Override
  public synchronized void commit(StateChange change) {
    checkOpen();
    if (change.isEmpty()) {
      return;
    }
    long base = memory.historyId();
    append(new StateRecord(StateRecord.Kind.CHANGE, base, StateText.of(change)));
    memory.apply(change, base);
    compactIfLarge();
  }

  private synchronized Map<ObjectKey, Generations.Generation> assign(
      Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now) {
    checkOpen();
    SortedMap<ObjectKey, Generations.Generation> assigned = new TreeMap<>();
    SortedMap<ObjectKey, Generations.Generation> changed = new TreeMap<>();
    digests.forEach(
        (key, digest) -> {
          Generations.Generation before = generations.get(key);
          Generations.Generation after =
              Generations.Generation.after(before, digest, counted.get(key), now);
          assigned.put(key, after);
          if (!after.equals(before)) {
            changed.put(key, after);
          }
        });
    if (!changed.isEmpty()) {
      append(new StateRecord(StateRecord.Kind.GENERATIONS, 0, StateText.ofGenerations(changed)));
      generations.putAll(changed);
      compactIfLarge();
    }
    return assigned;
  }

  /** Writes a record after the tail, and moves the root to it. */
  private void append(StateRecord record) {
    Map<String, SortedMap<String, String>> entries = entries(record, tail, nextSequence());
    move(entries, last(entries));
    records.addAll(entries.keySet());
    recordsSinceSnapshot++;
    if (compaction != null) {
      compaction.add(record);
    }
  }

  private synchronized long nextSequence() {
    sequence++;
    return sequence;
  }

  /** The entries of a record by name: the one that leads to the others is the last. */
  private Map<String, SortedMap<String, String>> entries(
      StateRecord record, String previous, long number) {
    List<String> parts = record.parts();
    Map<String, SortedMap<String, String>> entries = new LinkedHashMap<>();
    for (int i = parts.size() - 1; i >= 0; i--) {
      SortedMap<String, String> data = new TreeMap<>();
      data.put("content", parts.get(i));
      if (i == 0) {
        data.put("kind", record.kind().name());
        data.put("historyBase", Long.toString(record.historyBase()));
        data.put("previous", previous);
      }
      if (i + 1 < parts.size()) {
        data.put("next", entryName(number, i + 1));
      }
      entries.put(entryName(number, i), data);
    }
    return entries;
  }

  private String entryName(long number, int part) {
    return name + "-" + number + "-" + writer.substring(0, 8) + "-" + part;
  }

  /** Writes entries, and moves the root to one that is there then. */
  private void move(Map<String, SortedMap<String, String>> entries, String to) {
    try {
      if (isRootUnknown) {
        refreshRoot();
      }
      Map<String, String> data = new TreeMap<>();
      data.put("format", FORMAT);
      data.put("writer", writer);
      data.put("tail", to);
      isRootUnknown = true;
      Entry moved = space.swap(root, data, entries);
      if (moved == null) {
        refreshRoot();
        moved = space.swap(root, data, entries);
      }
      if (moved == null) {
        throw takenOver();
      }
      root = moved;
      isRootUnknown = false;
    } catch (NoAnswerException e) {
      throw failed(e);
    }
    tail = to;
  }

  private static String last(Map<String, ?> entries) {
    String last = "";
    for (String name : entries.keySet()) {
      last = name;
    }
    return last;
  }

  /** Reads the root, which must still be ours. */
  private void refreshRoot() throws NoAnswerException {
    Entry current = space.get(name);
    if (current == null || !writer.equals(current.data().get("writer"))) {
      throw takenOver();
    }
    root = current;
    isRootUnknown = false;
  }

  private StateStoreException takenOver() {
    ended =
        new StateStoreException(
            Kind.IN_USE,
            "state in "
                + space.place()
                + ": another process has taken it over (expected: one leader)");
    return ended;
  }

  private StateStoreException failed(NoAnswerException e) {
    return new StateStoreException(
        Kind.FAILED, "state in " + space.place() + ": cannot be written: " + e.getMessage(), e);
  }

  // Compaction: everything is put into one step, so that the next process has little to read.

  private void compactIfLarge() {
    if (recordsSinceSnapshot < settings.records() || compaction != null) {
      return;
    }
    Compaction next = new Compaction(memory, generations);
    compaction = next;
    settings.executor().execute(() -> compact(next));
  }

  /**
   * Only its last part keeps others waiting: until then, nothing leads to what is written here.
   * What was asked for is durable in any case; if this fails, it is tried again after as many
   * changes.
   */
  private void compact(Compaction from) {
    List<String> written = new ArrayList<>();
    boolean replaced = false;
    try {
      String last = write(from.snapshot(), written);
      List<String> old = replaceAll(from, written, last);
      replaced = true;
      space.delete(old);
    } catch (NoAnswerException e) {
      space.delete(written);
    } catch (StateStoreException e) {
      return; // what was written may count nevertheless, so that nothing is deleted
    } finally {
      if (!replaced) {
        giveUp();
      }
    }
  }

  /**
   * Writes records that nothing leads to yet.
   *
   * @param written is given their names
   * @return the name of the one that leads to all others
   */
  private String write(List<StateRecord> steps, List<String> written) throws NoAnswerException {
    String last = "";
    for (StateRecord step : steps) {
      Map<String, SortedMap<String, String>> entries = entries(step, last, nextSequence());
      last = last(entries);
      for (Map.Entry<String, SortedMap<String, String>> entry : entries.entrySet()) {
        written.add(entry.getKey());
        space.create(entry.getKey(), entry.getValue());
      }
    }
    return last;
  }

  private synchronized void giveUp() {
    compaction = null;
    recordsSinceSnapshot = 0;
  }

  /**
   * Writes the steps since the snapshot once more, behind that, and moves the root there.
   *
   * @return the names of the records that are not part of the state any more
   */
  private synchronized List<String> replaceAll(
      Compaction from, List<String> snapshot, String lastOfSnapshot) {
    checkOpen();
    String last = lastOfSnapshot;
    Map<String, SortedMap<String, String>> newer = new LinkedHashMap<>();
    for (StateRecord record : from.newer()) {
      Map<String, SortedMap<String, String>> entries = entries(record, last, nextSequence());
      newer.putAll(entries);
      last = last(entries);
    }
    move(newer, last);
    List<String> old = List.copyOf(records);
    records.clear();
    records.addAll(snapshot);
    records.addAll(newer.keySet());
    recordsSinceSnapshot = 1 + from.newer().size();
    compaction = null;
    return old;
  }

  // The rest is in memory.

  @Override
  public Generations generations() {
    return new Generations() {
      @Override
      public Map<ObjectKey, Generation> assign(
          Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now) {
        return ChainedStateStore.this.assign(digests, counted, now);
      }

      @Override
      public Map<ObjectKey, Generation> known(Set<ObjectKey> keys) {
        return ChainedStateStore.this.known(keys);
      }
    };
  }

  private synchronized Map<ObjectKey, Generations.Generation> known(Set<ObjectKey> keys) {
    checkOpen();
    SortedMap<ObjectKey, Generations.Generation> found = new TreeMap<>();
    for (ObjectKey key : keys) {
      Generations.Generation generation = generations.get(key);
      if (generation != null) {
        found.put(key, generation);
      }
    }
    return found;
  }

  @Override
  public synchronized StoredState load() {
    checkOpen();
    return memory.load();
  }

  @Override
  public synchronized List<HistoryEntry> history(HistoryQuery query) {
    checkOpen();
    return memory.history(query);
  }

  @Override
  public synchronized void close() {
    if (ended == null || ended.kind() != Kind.CLOSED) {
      ended = new StateStoreException(Kind.CLOSED, "state: closed (expected: an open store)");
    }
  }

  private void checkOpen() {
    if (ended != null) {
      throw ended;
    }
  }
}
