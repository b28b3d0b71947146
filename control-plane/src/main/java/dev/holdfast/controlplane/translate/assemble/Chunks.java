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
 * Fragments by name, in chunks that are put together already, so that the whole is a few copies and
 * a digest of a few digests. Never changes.
 *
 * <p>Where a chunk starts is a property of the name it starts with. So the same fragments make the
 * same chunks, and the same digests, whichever way they came.
 */
final class Chunks {
  /** One name in so many starts a chunk. */
  private static final int SIZE = 64;

  private final int field;

  /** By name; the first, which may be empty, has what comes before any name that starts one. */
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
    return Integer.remainderUnsigned(hash ^ (hash >>> 16), SIZE) == 0;
  }

  /** The index of the chunk that has the name, or would have it. */
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

  /** The same with another fragment of that name; null for none. */
  Chunks with(String name, @Nullable Fragment fragment) {
    int last = find(name);
    // Without its start, a chunk is the end of the one before it.
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

  /** Hands over the fragments by name. */
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
