// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A remote place with named records, each with a version, in which {@link ChainedStateStore} keeps
 * a state: ConfigMaps of a cluster, keys of an etcd. Calls block. A record has at most 800,000
 * characters, and some short fields. Two threads may use it at a time.
 */
public interface RecordSpace {
  /** Where the state is, for people. */
  String place();

  /** How an operator deletes the whole state, such as "delete all keys that begin with /x/". */
  String howToDelete();

  /** Null if there is no such record. */
  @Nullable Entry get(String name) throws NoAnswerException;

  /** Null if one of this name is there already. */
  @Nullable Entry create(String name, Map<String, String> data) throws NoAnswerException;

  /**
   * Creates records, and then replaces another one by compare-and-swap. The new records may be
   * there although the swap was not made; one of them that is there already is of an earlier try.
   *
   * @param before what must still be there
   * @param data what takes its place
   * @param records to be created before, by name, in this order
   * @return null if another version is there now, or none
   */
  @Nullable Entry swap(
      Entry before, Map<String, String> data, Map<String, ? extends Map<String, String>> records)
      throws NoAnswerException;

  /** All records, by name. */
  SortedMap<String, Entry> list() throws NoAnswerException;

  /**
   * Best effort: what is left is not part of the state, and is deleted by whoever opens it next.
   */
  void delete(List<String> names);

  /**
   * A record.
   *
   * @param version changes with every write
   */
  record Entry(String name, String version, SortedMap<String, String> data) {
    public Entry {
      requireNonNull(name, "name");
      requireNonNull(version, "version");
      data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
    }
  }

  /** There was no answer: it is not known whether the request was carried out. */
  final class NoAnswerException extends Exception {
    public NoAnswerException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
