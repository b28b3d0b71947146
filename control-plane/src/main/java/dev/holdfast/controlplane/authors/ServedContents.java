// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.authors;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Digest;
import dev.holdfast.config.ObjectKey;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The generations that were served when this process started. Rules that became stricter since then
 * do not count for them, only for what comes after: no rule of the operator takes traffic down.
 */
public final class ServedContents {
  private final Map<ObjectKey, Set<Served>> served = new ConcurrentHashMap<>();

  private record Served(long generation, String digest) {}

  /** A generation was served. */
  public void add(AcceptedSpec spec) {
    served
        .computeIfAbsent(spec.object().key(), key -> ConcurrentHashMap.newKeySet())
        .add(new Served(spec.object().generation(), spec.digest()));
  }

  /** Whether this very generation was served. */
  boolean contains(ConfigObject object) {
    Set<Served> known = served.get(object.key());
    return known != null
        && known.contains(new Served(object.generation(), Digest.of(object.body())));
  }

  /** An object was deleted: if it comes back, it is a new one. */
  public void remove(ObjectKey key) {
    served.remove(key);
  }
}
