// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.base.PersistentMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Things derived from facts, by key, and the facts that each was derived from. What a derivation
 * reads is recorded while it runs, so that no dependency can be forgotten: when a fact is news,
 * {@link #derivedFrom} says what must be derived again.
 */
public final class Derivations<K extends Comparable<? super K>, R> {
  private static final Derivations<?, ?> EMPTY =
      new Derivations<String, String>(
          PersistentMap.empty(), PersistentMap.empty(), MultiMap.empty());

  private final PersistentMap<K, R> results;
  private final PersistentMap<K, SortedSet<Fact>> reads;
  private final MultiMap<Fact, K, Boolean> readers;

  private Derivations(
      PersistentMap<K, R> results,
      PersistentMap<K, SortedSet<Fact>> reads,
      MultiMap<Fact, K, Boolean> readers) {
    this.results = results;
    this.reads = reads;
    this.readers = readers;
  }

  @SuppressWarnings("unchecked") // holds nothing
  public static <K extends Comparable<? super K>, R> Derivations<K, R> empty() {
    return (Derivations<K, R>) EMPTY;
  }

  public @Nullable R get(K key) {
    return results.get(key);
  }

  public PersistentMap<K, R> results() {
    return results;
  }

  /** What was derived from any of these facts. */
  public Set<K> derivedFrom(Iterable<Fact> facts) {
    Set<K> keys = new TreeSet<>();
    facts.forEach(fact -> readers.get(fact).forEach((key, unused) -> keys.add(key)));
    return keys;
  }

  /**
   * The same with one thing derived anew; there is no such thing any more if the result is null.
   */
  public Derivations<K, R> derive(
      K key, Index index, Function<? super FactReader, ? extends @Nullable R> derivation) {
    FactReader reader = new FactReader(index);
    R result = derivation.apply(reader);
    return with(key, reader.reads(), result);
  }

  /** The same for things that depend on nothing but what they read. */
  public Derivations<K, R> derive(
      K key,
      Index index,
      DerivationCache<K, R> memo,
      Function<? super FactReader, ? extends @Nullable R> derivation) {
    DerivationCache.Entry<R> entry = memo.get(key, index);
    if (entry == null) {
      FactReader reader = new FactReader(index);
      R result = derivation.apply(reader);
      entry = new DerivationCache.Entry<>(reader.reads(), result);
      memo.put(key, entry, results.size());
    }
    return with(key, entry.reads(), entry.result());
  }

  private Derivations<K, R> with(K key, SortedMap<Fact, FactReader.Read> read, @Nullable R result) {
    SortedSet<Fact> before = reads.get(key);
    SortedSet<Fact> after = new TreeSet<>(read.keySet());
    MultiMap<Fact, K, Boolean> changed = readers;
    for (Fact fact : before == null ? new TreeSet<Fact>() : before) {
      if (!after.contains(fact)) {
        changed = changed.without(fact, key);
      }
    }
    for (Fact fact : after) {
      changed = changed.with(fact, key, true);
    }
    return new Derivations<>(
        // Without first: a result that equals the one before it may still know more.
        result == null ? results.without(key) : results.without(key).with(key, result),
        after.isEmpty() ? reads.without(key) : reads.with(key, after),
        changed);
  }

  /** The same without a thing that nobody asks for any more. */
  public Derivations<K, R> without(K key) {
    SortedSet<Fact> before = reads.get(key);
    MultiMap<Fact, K, Boolean> changed = readers;
    for (Fact fact : before == null ? new TreeSet<Fact>() : before) {
      changed = changed.without(fact, key);
    }
    return new Derivations<>(results.without(key), reads.without(key), changed);
  }
}
