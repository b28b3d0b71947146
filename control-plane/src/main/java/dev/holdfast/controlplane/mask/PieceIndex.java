// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds pieces in a text by four of their bytes. Each piece is entered at every n-th of its bytes,
 * so that any part of it that is long enough contains a place that was entered; from there, the
 * text and the piece are compared in both directions.
 *
 * <p>A hash table with chains in arrays: there may be a million entries, and pieces that start
 * alike have the same hash.
 */
final class PieceIndex {
  private static final int FIRST_CAPACITY = 1 << 6;
  private static final int NONE = -1;

  /** By the id of a piece; null for ids that are free. */
  private final List<@Nullable Piece> pieces = new ArrayList<>();

  private final Deque<Integer> freePieces = new ArrayDeque<>();

  private int[] heads = filled(FIRST_CAPACITY);
  private int[] next = filled(FIRST_CAPACITY);
  private int[] ids = new int[FIRST_CAPACITY];
  private int[] offsets = new int[FIRST_CAPACITY];
  private int freeEntry = NONE;
  private int used;

  /** Is told of places where a block of a piece occurs. */
  interface Candidates {
    /**
     * @param at the offset of the block in the piece's bytes
     * @return false to stop
     */
    boolean found(Piece piece, int at);
  }

  /** Returns the id of the piece. */
  int add(Piece piece) {
    Integer free = freePieces.poll();
    int id = free == null ? pieces.size() : free;
    if (free == null) {
      pieces.add(piece);
    } else {
      pieces.set(id, piece);
    }
    for (int at = piece.from(); at + Piece.BLOCK <= piece.to(); at += piece.stride()) {
      addEntry(hash(piece.bytes(), at), id, at);
    }
    return id;
  }

  void remove(int id) {
    Piece piece = pieces.get(id);
    if (piece == null) {
      return;
    }
    for (int at = piece.from(); at + Piece.BLOCK <= piece.to(); at += piece.stride()) {
      removeEntry(hash(piece.bytes(), at), id, at);
    }
    pieces.set(id, null);
    freePieces.push(id);
  }

  /** Reports every piece that contains the block of a text; false if it was stopped. */
  boolean find(byte[] text, int at, Candidates candidates) {
    int entry = heads[slot(hash(text, at))];
    while (entry != NONE) {
      Piece piece = pieces.get(ids[entry]);
      if (piece != null && !candidates.found(piece, offsets[entry])) {
        return false;
      }
      entry = next[entry];
    }
    return true;
  }

  private void addEntry(int hash, int id, int at) {
    int entry;
    if (freeEntry != NONE) {
      entry = freeEntry;
      freeEntry = next[entry];
    } else {
      if (used == ids.length) {
        grow();
      }
      entry = used++;
    }
    ids[entry] = id;
    offsets[entry] = at;
    int slot = slot(hash);
    next[entry] = heads[slot];
    heads[slot] = entry;
  }

  private void removeEntry(int hash, int id, int at) {
    int slot = slot(hash);
    int before = NONE;
    int entry = heads[slot];
    while (entry != NONE && (ids[entry] != id || offsets[entry] != at)) {
      before = entry;
      entry = next[entry];
    }
    if (entry == NONE) {
      return;
    }
    if (before == NONE) {
      heads[slot] = next[entry];
    } else {
      next[before] = next[entry];
    }
    next[entry] = freeEntry;
    freeEntry = entry;
  }

  /** Only while no entry is free: then all of them are in chains. */
  private void grow() {
    int capacity = ids.length * 2;
    ids = Arrays.copyOf(ids, capacity);
    offsets = Arrays.copyOf(offsets, capacity);
    heads = filled(capacity);
    next = filled(capacity);
    for (int entry = 0; entry < used; entry++) {
      Piece piece = pieces.get(ids[entry]);
      if (piece != null) {
        int slot = slot(hash(piece.bytes(), offsets[entry]));
        next[entry] = heads[slot];
        heads[slot] = entry;
      }
    }
  }

  private int slot(int hash) {
    return hash & (heads.length - 1);
  }

  private static int hash(byte[] bytes, int at) {
    int block =
        (bytes[at] & 0xff) << 24
            | (bytes[at + 1] & 0xff) << 16
            | (bytes[at + 2] & 0xff) << 8
            | (bytes[at + 3] & 0xff);
    int mixed = block * 0x9E3779B9;
    return mixed ^ (mixed >>> 15);
  }

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, NONE);
    return array;
  }
}
