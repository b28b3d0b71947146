// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
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
    return new Chunks(field, List.of(new Chunk(Chunk.none(), field)));
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
    int last = find(name);
    // A chunk that loses its start is joined to the one before it.
    int first = fragment == null && last > 0 && isStart(name) ? last - 1 : last;
    SortedMap<String, Fragment> fragments = Chunk.none();
    for (Chunk chunk : chunks.subList(first, last + 1)) {
      fragments.putAll(chunk.fragments());
    }
    if (fragment == null) {
      fragments.remove(name);
    } else {
      fragments.put(name, fragment);
    }
    List<Chunk> changed = new ArrayList<>(chunks.size() + 1);
    changed.addAll(chunks.subList(0, first));
    cut(fragments, first == 0, changed);
    changed.addAll(chunks.subList(last + 1, chunks.size()));
    return new Chunks(field, List.copyOf(changed));
  }

  private void cut(SortedMap<String, Fragment> fragments, boolean atFirst, List<Chunk> to) {
    SortedMap<String, Fragment> current = Chunk.none();
    boolean keepEmpty = atFirst;
    for (Map.Entry<String, Fragment> entry : fragments.entrySet()) {
      if (isStart(entry.getKey())) {
        add(current, keepEmpty, to);
        current = Chunk.none();
        keepEmpty = false;
      }
      current.put(entry.getKey(), entry.getValue());
    }
    add(current, keepEmpty, to);
  }

  private void add(SortedMap<String, Fragment> fragments, boolean keepEmpty, List<Chunk> to) {
    if (keepEmpty || !fragments.isEmpty()) {
      to.add(new Chunk(fragments, field));
    }
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
