// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.secret.Secret;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Caches decoded objects, because a search adds and removes the same objects many times. */
final class DecodingCache {
  private static final int MAX_ENTRIES = 20_000;

  private final Map<ObjectKey, IndexedObject> entries =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<ObjectKey, IndexedObject> eldest) {
              return size() > MAX_ENTRIES;
            }
          });

  @SuppressWarnings("ReferenceEquality") // comparing the content would cost as much as decoding it
  IndexedObject decode(ConfigObject object, @Nullable String ingressClass) {
    IndexedObject cached = entries.get(object.key());
    if (cached != null && cached.object() == object) {
      return cached;
    }
    IndexedObject indexed = IndexedObject.of(object, ingressClass);
    if (!object.key().kind().equals(Secret.KIND)) { // private keys must not outlive their objects
      entries.put(object.key(), indexed);
    }
    return indexed;
  }
}
