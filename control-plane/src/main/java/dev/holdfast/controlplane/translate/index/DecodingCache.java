// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.secret.Secret;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Caches decoded objects, because a search adds and removes the same objects many times. Secrets
 * are referred to weakly: to check a key is expensive, but private keys must not outlive their
 * objects.
 */
final class DecodingCache {
  private static final int MAX_ENTRIES = 20_000;

  private final Map<ObjectKey, IndexedObject> entries = Collections.synchronizedMap(lru());
  private final Map<ObjectKey, WeakReference<IndexedObject>> secrets =
      Collections.synchronizedMap(lru());

  private static <V> Map<ObjectKey, V> lru() {
    return new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<ObjectKey, V> eldest) {
        return size() > MAX_ENTRIES;
      }
    };
  }

  @SuppressWarnings("ReferenceEquality") // comparing the content would cost as much as decoding it
  IndexedObject decode(ConfigObject object, Settings settings) {
    ObjectKey key = object.key();
    IndexedObject cached = get(key);
    if (cached != null && cached.object() == object) {
      return cached;
    }
    IndexedObject indexed = IndexedObject.of(object, settings);
    if (key.kind().equals(Secret.KIND)) {
      secrets.put(key, new WeakReference<>(indexed));
    } else {
      entries.put(key, indexed);
    }
    return indexed;
  }

  private @Nullable IndexedObject get(ObjectKey key) {
    if (!key.kind().equals(Secret.KIND)) {
      return entries.get(key);
    }
    WeakReference<IndexedObject> reference = secrets.get(key);
    return reference == null ? null : reference.get();
  }
}
