// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** A response that was sent and waits for its answer. */
final class InFlightResponse {
  final String nonce;
  final String version;

  /** What it held that the proxy did not run. */
  final SortedMap<String, Resource> changed;

  final SortedSet<String> removed;

  /** What the proxy runs if it accepts, but for what it has let go of since. */
  ResourceTable after;

  /** What the proxy was to see when it was sent. */
  final Snapshot view;

  final long sentAt;

  /** Whether it has been waiting for so long that others no longer wait for it. */
  boolean silent;

  InFlightResponse(
      String nonce,
      String version,
      SortedMap<String, Resource> changed,
      SortedSet<String> removed,
      ResourceTable after,
      Snapshot view,
      long sentAt) {
    this.nonce = nonce;
    this.version = version;
    this.changed = changed;
    this.removed = removed;
    this.after = after;
    this.view = view;
    this.sentAt = sentAt;
  }

  /** All names that it said something about. */
  SortedSet<String> names() {
    SortedSet<String> names = new TreeSet<>(changed.keySet());
    names.addAll(removed);
    return names;
  }
}
