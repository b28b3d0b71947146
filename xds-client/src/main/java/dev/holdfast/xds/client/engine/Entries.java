// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.util.Arrays;

/**
 * The packed entries of a response: places in its bytes. They are cut out only when asked for, and
 * compared with those of another response without being cut out.
 */
final class Entries {
  private final byte[] data;
  private int[] starts = new int[16];
  private int[] ends = new int[16];
  private int size;

  Entries(byte[] data) {
    this.data = data;
  }

  void add(int start, int end) {
    if (size == starts.length) {
      starts = Arrays.copyOf(starts, size * 2);
      ends = Arrays.copyOf(ends, size * 2);
    }
    starts[size] = start;
    ends[size] = end;
    size++;
  }

  int size() {
    return size;
  }

  /** A view: it keeps the whole response alive. */
  ByteString get(int index) {
    return UnsafeByteOperations.unsafeWrap(data, starts[index], ends[index] - starts[index]);
  }

  boolean isSame(int index, Entries other) {
    return Arrays.equals(
        data, starts[index], ends[index], other.data, other.starts[index], other.ends[index]);
  }
}
