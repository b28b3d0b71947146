// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.assemble;

import com.google.protobuf.ByteString;
import dev.holdfast.controlplane.snapshot.Digests;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Some neighbouring fragments, serialised as elements of one repeated field. */
final class Chunk {
  private final SortedMap<String, Fragment> fragments;
  private final ByteString bytes;
  private final String version;

  Chunk(SortedMap<String, Fragment> fragments, int field) {
    this.fragments = fragments;
    List<ByteString> elements = new ArrayList<>(fragments.size());
    List<String> versions = new ArrayList<>(fragments.size());
    for (Fragment fragment : fragments.values()) {
      elements.add(fragment.bytes());
      versions.add(fragment.version());
    }
    this.bytes = RepeatedField.append(ByteString.EMPTY, field, elements);
    this.version = Digests.of(versions);
  }

  /** The fragments by name; must not be modified. */
  SortedMap<String, Fragment> fragments() {
    return fragments;
  }

  ByteString bytes() {
    return bytes;
  }

  /** A digest of the versions of the fragments. */
  String version() {
    return version;
  }

  static SortedMap<String, Fragment> none() {
    return new TreeMap<>();
  }
}
