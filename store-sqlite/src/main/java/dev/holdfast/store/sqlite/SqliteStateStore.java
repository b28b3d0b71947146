// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.store.sqlite;

import dev.holdfast.config.Generations;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.HistoryQuery;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateChange;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.StoredState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/**
 * The state in one file, for one process. The file is this process's from {@link #open} to {@link
 * #close}, or to the end of the process, however that comes.
 */
public final class SqliteStateStore implements StateStore {
  private final ProcessLock processLock;
  private final Database database;
  private final GenerationsTable generations;
  private final AcceptedTable accepted;
  private final ClassSpecsTable byClass;
  private final ClassesTable classes;
  private final RejectionsTable rejections;
  private final StatusesTable statuses;
  private final ProxyVersionsTable held;
  private final HistoryTable history;

  private SqliteStateStore(ProcessLock processLock, Database database, int historyLimit) {
    this.processLock = processLock;
    this.database = database;
    generations = new GenerationsTable(database);
    accepted = new AcceptedTable(database);
    byClass = new ClassSpecsTable(database);
    classes = new ClassesTable(database);
    rejections = new RejectionsTable(database);
    statuses = new StatusesTable(database);
    held = new ProxyVersionsTable(database);
    history = new HistoryTable(database, historyLimit);
  }

  /**
   * Opens the state in a file, which is made if it is not there; its directory is not.
   *
   * @throws StateStoreException if that cannot be done; the file is then as it was
   */
  public static SqliteStateStore open(Path file) {
    return open(file, DEFAULT_HISTORY);
  }

  /**
   * The same with a history of another length.
   *
   * @param historyLimit how many entries are kept
   */
  public static SqliteStateStore open(Path file, int historyLimit) {
    if (historyLimit < 1) {
      throw new IllegalArgumentException("historyLimit: " + historyLimit + " (expected: from 1)");
    }
    StateFile place = StateFile.at(file);
    ProcessLock lock = ProcessLock.acquire(place);
    try {
      place.create();
      return new SqliteStateStore(lock, Database.open(place), historyLimit);
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  @Override
  public Generations generations() {
    return new Generations() {
      @Override
      public Map<ObjectKey, Generation> assign(
          Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now) {
        return SqliteStateStore.this.assign(digests, counted, now);
      }

      @Override
      public Map<ObjectKey, Generation> known(Set<ObjectKey> keys) {
        return SqliteStateStore.this.known(keys);
      }
    };
  }

  private synchronized SortedMap<ObjectKey, Generations.Generation> known(Set<ObjectKey> keys) {
    return database.read("reading generations", () -> generations.known(keys));
  }

  private synchronized SortedMap<ObjectKey, Generations.Generation> assign(
      Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now) {
    return database.write("assigning generations", () -> generations.assign(digests, counted, now));
  }

  @Override
  public synchronized StoredState load() {
    return database.read(
        "loading",
        () ->
            new StoredState(
                accepted.all(),
                byClass.all(),
                classes.all(),
                rejections.all(),
                statuses.all(),
                held.all()));
  }

  @Override
  public synchronized void commit(StateChange change) {
    database.write(
        "committing",
        () -> {
          accepted.apply(change.accepted());
          byClass.apply(change.byClass());
          classes.apply(change.classes());
          rejections.apply(change.rejections());
          statuses.apply(change.statuses());
          held.apply(change.held());
          history.append(change.history());
          return change;
        });
  }

  @Override
  public synchronized List<HistoryEntry> history(HistoryQuery query) {
    return database.read("reading the history", () -> history.find(query));
  }

  @Override
  public synchronized void close() {
    try {
      database.close();
    } finally {
      processLock.close();
    }
  }

  /** For tests that make the file fail. */
  Database database() {
    return database;
  }
}
