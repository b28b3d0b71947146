// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a proxy has of one type if it says that it has a version.
 *
 * @param version the last that it accepted
 * @param table what it accepted, but for what it has let go of since
 * @param next what it was sent and may have taken a part of; null if nothing
 */
record HeldVersion(String version, ResourceTable table, @Nullable InFlightResponse next) {
  /** The names of which it may have something else, or nothing. */
  SortedSet<String> doubtful() {
    if (next == null) {
      return Collections.emptySortedSet();
    }
    SortedSet<String> names = new TreeSet<>(next.changed.keySet());
    names.addAll(next.removed);
    return names;
  }

  /** Whether it took a name as it was sent, since it says that it has this version of it. */
  boolean took(String name, @Nullable String claimed) {
    Resource sent = next == null ? null : next.after.get(name);
    return sent == null ? claimed == null : sent.version().equals(claimed);
  }
}
