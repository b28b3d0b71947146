// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map of fragments by name, divided into chunks that are serialised already. The bytes
 * of the whole are a few copies, and its version is the digest of a few digests.
 *
 * <p>Whether a chunk starts at a name depends on that name alone. So equal fragments give equal
 * chunks and equal digests, in whatever order they were added.
 */
final class Chunks {
  /** The average number of names in a chunk. */
  private static final int AVERAGE_SIZE = 64;

  private final int field;

  /**
   * In the order of names. The first chunk, which may be empty, holds the names before the first
   * start.
   */
  private final List<Chunk> chunks;

  private Chunks(int field, List<Chunk> chunks) {
    this.field = field;
    this.chunks = chunks;
  }

  /**
   * @param field the number of the repeated field that the fragments are elements of
   */
  static Chunks empty(int field) {
    return new Chunks(field, List.of(Chunk.empty(field)));
  }

  private static boolean isStart(String name) {
    int hash = name.hashCode() * 0x9E3779B9;
    return Integer.remainderUnsigned(hash ^ (hash >>> 16), AVERAGE_SIZE) == 0;
  }

  /** The index of the chunk in which the name belongs. */
  private int find(String name) {
    int low = 1;
    int high = chunks.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (chunks.get(middle).fragments().firstKey().compareTo(name) <= 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }

  @Nullable Fragment get(String name) {
    return chunks.get(find(name)).fragments().get(name);
  }

  boolean isEmpty() {
    return chunks.size() == 1 && chunks.get(0).fragments().isEmpty();
  }

  /** A copy in which the fragment of that name is replaced, or removed if null. */
  Chunks with(String name, @Nullable Fragment fragment) {
    return fragment == null ? without(name) : with(name, find(name), fragment);
  }

  private Chunks with(String name, int at, Fragment fragment) {
    SortedMap<String, Fragment> fragments = chunks.get(at).copy();
    boolean isNew = fragments.put(name, fragment) == null;
    if (isNew && isStart(name)) {
      return replaced(
          at,
          at + 1,
          List.of(
              new Chunk(new TreeMap<>(fragments.headMap(name)), field),
              new Chunk(new TreeMap<>(fragments.tailMap(name)), field)));
    }
    return replaced(at, at + 1, List.of(new Chunk(fragments, field)));
  }

  private Chunks without(String name) {
    if (get(name) == null) {
      return this;
    }
    int last = find(name);
    // A chunk that loses its start is joined to the one before it.
    int first = last > 0 && isStart(name) ? last - 1 : last;
    SortedMap<String, Fragment> fragments = chunks.get(first).copy();
    if (first < last) {
      fragments.putAll(chunks.get(last).fragments());
    }
    fragments.remove(name);
    return replaced(first, last + 1, List.of(new Chunk(fragments, field)));
  }

  private Chunks replaced(int from, int to, List<Chunk> replacement) {
    List<Chunk> changed = new ArrayList<>(chunks.size() + 1);
    changed.addAll(chunks.subList(0, from));
    changed.addAll(replacement);
    changed.addAll(chunks.subList(to, chunks.size()));
    return new Chunks(field, List.copyOf(changed));
  }

  /** Passes on the fragments in the order of names. */
  void forEach(BiConsumer<String, Fragment> action) {
    chunks.forEach(chunk -> chunk.fragments().forEach(action));
  }

  List<ByteString> bytes() {
    return chunks.stream().map(Chunk::bytes).toList();
  }

  List<String> versions() {
    return chunks.stream().map(Chunk::version).toList();
  }
}
