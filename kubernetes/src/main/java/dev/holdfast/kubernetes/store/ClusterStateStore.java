// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.store;

import dev.holdfast.config.Generations;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.StateStoreException.Kind;
import dev.holdfast.config.StateText;
import dev.holdfast.config.StoredState;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.store.ConfigMaps.Entry;
import dev.holdfast.kubernetes.store.ConfigMaps.NoAnswerException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state in ConfigMaps of the cluster, without a volume or another server.
 *
 * <pre>
 *   root  --tail-->  record 7  --previous-->  record 6  --previous-->  record 5 (all until then)
 * </pre>
 *
 * <p>A record is one or more ConfigMaps that never change. A commit writes its record, which nobody
 * sees, and then moves the root to it, by compare-and-swap: that is the moment at which it counts.
 * From time to time a record holds everything until then, and what came before is deleted.
 *
 * <p>Whoever opens the state writes its own name into the root. Another process that had it open
 * finds out with its next write, which is refused, and never writes again: so a leader that was
 * paused cannot undo what its successor did. If a write to the root gets no answer, the root is
 * read again before the next one; a record that arrived late and was reported as failed is passed
 * over by the record after it.
 *
 * <p>All that is stored is also in memory. Calls block; the caller has a thread for it.
 */
public final class ClusterStateStore implements StateStore {
  /** How many entries the history keeps: each costs the cluster's own etcd. */
  public static final int HISTORY = 5_000;

  private static final String FORMAT = "1";
  private static final int MOST_RECORDS = 300;
  private static final int TRIES = 3;

  private final ConfigMaps maps;
  private final String name;
  private final String writer;

  private final SortedMap<ObjectKey, Generations.Generation> generations = new TreeMap<>();
  private final StateMemory memory;
  private Entry root;

  /** The record that the root leads to, as far as this process knows. */
  private String tail;

  private long sequence;

  /** The ConfigMaps of the records that lead to the tail. */
  private final List<String> records = new ArrayList<>();

  private int recordsSinceSnapshot;

  /** Whether a write to the root got no answer, so that it must be read before the next one. */
  private boolean isRootUnknown;

  private @Nullable StateStoreException ended;

  private ClusterStateStore(
      ConfigMaps maps, String name, String writer, int historyLimit, Entry root) {
    this.maps = maps;
    this.name = name;
    this.writer = writer;
    this.root = root;
    this.tail = root.data().getOrDefault("tail", "");
    this.memory = new StateMemory(historyLimit);
  }

  /** Opens the state of a name in a namespace, and takes it away from whoever has it open. */
  public static ClusterStateStore open(ApiServer server, String namespace, String name) {
    return open(server, namespace, name, HISTORY);
  }

  static ClusterStateStore open(ApiServer server, String namespace, String name, int historyLimit) {
    ConfigMaps maps = new ConfigMaps(server, namespace, name);
    String writer = UUID.randomUUID().toString();
    for (int attempt = 1; ; attempt++) {
      try {
        ClusterStateStore store = claim(maps, name, writer, historyLimit);
        if (store != null) {
          store.read();
          return store;
        }
      } catch (NoAnswerException e) {
        if (attempt >= TRIES) {
          throw new StateStoreException(
              Kind.UNUSABLE, "state in " + maps.place() + ": " + e.getMessage(), e);
        }
      }
    }
  }

  /** Null if somebody else wrote to the root at the same time. */
  private static @Nullable ClusterStateStore claim(
      ConfigMaps maps, String name, String writer, int historyLimit) throws NoAnswerException {
    Entry root = maps.get(name);
    Map<String, String> data = new TreeMap<>();
    data.put("format", FORMAT);
    data.put("tail", "");
    if (root != null) {
      String format = root.data().getOrDefault("format", "");
      if (!format.equals(FORMAT)) {
        throw new StateStoreException(
            format.isEmpty() ? Kind.FOREIGN : Kind.TOO_NEW,
            "state in "
                + maps.place()
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
    Entry mine = root == null ? maps.create(name, data) : maps.replace(root, data);
    return mine == null ? null : new ClusterStateStore(maps, name, writer, historyLimit, mine);
  }

  // Reading.

  private void read() throws NoAnswerException {
    SortedMap<String, Entry> all = maps.list();
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
    maps.delete(garbage);
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
            + maps.place()
            + ": "
            + what
            + " (to start without state, delete all ConfigMaps with the label holdfast.dev/state="
            + name
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
    move(write(record, tail));
  }

  /** Writes a record that nobody sees yet; the result are the names of its parts. */
  private List<String> write(StateRecord record, String previous) {
    sequence++;
    List<String> parts = record.parts();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      names.add(name + "-" + sequence + "-" + writer.substring(0, 8) + "-" + i);
    }
    try {
      for (int i = parts.size() - 1; i >= 0; i--) {
        Map<String, String> data = new TreeMap<>();
        data.put("content", parts.get(i));
        if (i == 0) {
          data.put("kind", record.kind().name());
          data.put("historyBase", Long.toString(record.historyBase()));
          data.put("previous", previous);
        }
        if (i + 1 < parts.size()) {
          data.put("next", names.get(i + 1));
        }
        maps.create(names.get(i), data); // one that is there is ours, from a try without an answer
      }
    } catch (NoAnswerException e) {
      throw failed(e);
    }
    return names;
  }

  private void move(List<String> written) {
    String to = written.get(0);
    try {
      if (isRootUnknown) {
        refreshRoot();
      }
      Map<String, String> data = new TreeMap<>();
      data.put("format", FORMAT);
      data.put("writer", writer);
      data.put("tail", to);
      isRootUnknown = true;
      Entry moved = maps.replace(root, data);
      if (moved == null) {
        refreshRoot();
        moved = maps.replace(root, data);
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
    records.addAll(written);
    recordsSinceSnapshot++;
  }

  /** Reads the root, which must still be ours. */
  private void refreshRoot() throws NoAnswerException {
    Entry current = maps.get(name);
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
                + maps.place()
                + ": another process has taken it over (expected: one leader)");
    return ended;
  }

  private StateStoreException failed(NoAnswerException e) {
    return new StateStoreException(
        Kind.FAILED, "state in " + maps.place() + ": cannot be written: " + e.getMessage(), e);
  }

  /** Puts everything into one record, so that the next process has little to read. */
  private void compactIfLarge() {
    if (recordsSinceSnapshot < MOST_RECORDS) {
      return;
    }
    List<String> old = List.copyOf(records);
    try {
      List<String> all =
          write(
              new StateRecord(
                  StateRecord.Kind.CHANGE,
                  memory.droppedHistoryId(),
                  StateText.of(memory.everything())),
              "");
      List<String> last =
          write(
              new StateRecord(
                  StateRecord.Kind.GENERATIONS, 0, StateText.ofGenerations(generations)),
              all.get(0));
      List<String> both = new ArrayList<>(last);
      both.addAll(all);
      move(both);
    } catch (StateStoreException e) {
      if (e.kind() == Kind.IN_USE) {
        throw e;
      }
      return; // what was asked for is durable; this is tried again with the next change
    }
    records.removeAll(old);
    recordsSinceSnapshot = 1;
    maps.delete(old);
  }

  // The rest is in memory.

  @Override
  public Generations generations() {
    return new Generations() {
      @Override
      public Map<ObjectKey, Generation> assign(
          Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now) {
        return ClusterStateStore.this.assign(digests, counted, now);
      }

      @Override
      public Map<ObjectKey, Generation> known(Set<ObjectKey> keys) {
        return ClusterStateStore.this.known(keys);
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
