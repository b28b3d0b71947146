// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import com.google.protobuf.ByteString;
import dev.holdfast.controlplane.snapshot.Digests;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Some neighbouring fragments, serialised as elements of one repeated field. That is done when it
 * is first needed: while thousands of fragments are added one by one, most chunks live only until
 * the next one is.
 */
final class Chunk {
  private final SortedMap<String, Fragment> fragments;
  private final int field;

  private @Nullable ByteString bytes;
  private @Nullable String version;

  /**
   * @param fragments must not be modified afterwards
   */
  Chunk(SortedMap<String, Fragment> fragments, int field) {
    this.fragments = fragments;
    this.field = field;
  }

  static Chunk empty(int field) {
    return new Chunk(new TreeMap<>(), field);
  }

  /** The fragments by name; must not be modified. */
  SortedMap<String, Fragment> fragments() {
    return fragments;
  }

  /** The fragments by name, in a map that may be modified. */
  SortedMap<String, Fragment> copy() {
    return new TreeMap<>(fragments);
  }

  ByteString bytes() {
    if (bytes == null) {
      List<ByteString> elements = new ArrayList<>(fragments.size());
      fragments.values().forEach(fragment -> elements.add(fragment.bytes()));
      bytes = RepeatedField.append(ByteString.EMPTY, field, elements);
    }
    return bytes;
  }

  /** A digest of the versions of the fragments. */
  String version() {
    if (version == null) {
      List<String> versions = new ArrayList<>(fragments.size());
      fragments.values().forEach(fragment -> versions.add(fragment.version()));
      version = Digests.of(versions);
    }
    return version;
  }
}
