// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.SortedCopies;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An immutable table of derived values by key, with the facts that each was derived from. The
 * reader records every fact that a derivation reads, so that no dependency can be missed: when a
 * fact changes, {@link #derivedFrom} returns the keys to derive again.
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

  @SuppressWarnings("unchecked") // the empty instance holds no values
  public static <K extends Comparable<? super K>, R> Derivations<K, R> empty() {
    return (Derivations<K, R>) EMPTY;
  }

  public @Nullable R get(K key) {
    return results.get(key);
  }

  public PersistentMap<K, R> results() {
    return results;
  }

  /** The keys whose values were derived from any of these facts. */
  public Set<K> derivedFrom(Iterable<Fact> facts) {
    Set<K> keys = new TreeSet<>();
    facts.forEach(fact -> readers.get(fact).forEach((key, unused) -> keys.add(key)));
    return keys;
  }

  /** A copy in which the value of a key is derived again; a null result removes the key. */
  public Derivations<K, R> derive(
      K key, Index index, Function<? super FactReader, ? extends @Nullable R> derivation) {
    FactReader reader = new FactReader(index);
    R result = derivation.apply(reader);
    return with(key, reader.reads(), result);
  }

  /**
   * Like the above, but with a cache; for derivations that depend on nothing but the facts they
   * read.
   */
  public Derivations<K, R> derive(
      K key,
      Index index,
      DerivationCache<K, R> cache,
      Function<? super FactReader, ? extends @Nullable R> derivation) {
    DerivationCache.Entry<R> entry = cache.get(key, index);
    if (entry == null) {
      FactReader reader = new FactReader(index);
      R result = derivation.apply(reader);
      entry = new DerivationCache.Entry<>(reader.reads(), result);
      cache.put(key, entry, results.size());
    }
    return with(key, entry.reads(), entry.result());
  }

  private Derivations<K, R> with(K key, SortedMap<Fact, FactReader.Read> read, @Nullable R result) {
    SortedSet<Fact> before = reads.get(key);
    SortedSet<Fact> after = SortedCopies.keys(read);
    MultiMap<Fact, K, Boolean> newReaders = readers;
    for (Fact fact : before == null ? new TreeSet<Fact>() : before) {
      if (!after.contains(fact)) {
        newReaders = newReaders.without(fact, key);
      }
    }
    for (Fact fact : after) {
      newReaders = newReaders.with(fact, key, true);
    }
    return new Derivations<>(
        // Remove first: PersistentMap keeps an equal value, but the new one may have other
        // provenance.
        result == null ? results.without(key) : results.without(key).with(key, result),
        after.isEmpty() ? reads.without(key) : reads.with(key, after),
        newReaders);
  }

  /** A copy without a key that is no longer in demand. */
  public Derivations<K, R> without(K key) {
    SortedSet<Fact> before = reads.get(key);
    MultiMap<Fact, K, Boolean> newReaders = readers;
    for (Fact fact : before == null ? new TreeSet<Fact>() : before) {
      newReaders = newReaders.without(fact, key);
    }
    return new Derivations<>(results.without(key), reads.without(key), newReaders);
  }
}
