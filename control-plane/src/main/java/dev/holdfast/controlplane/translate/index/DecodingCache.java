// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.secret.Secret;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What came of reading objects, for those that are taken in again: a search does so often. */
final class DecodingCache {
  private static final int MOST = 20_000;

  private final Map<ObjectKey, IndexedObject> last =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<ObjectKey, IndexedObject> eldest) {
              return size() > MOST;
            }
          });

  @SuppressWarnings("ReferenceEquality") // to compare is as much work as to read
  IndexedObject of(ConfigObject object, @Nullable String ingressClass) {
    IndexedObject known = last.get(object.key());
    if (known != null && known.object() == object) {
      return known;
    }
    IndexedObject input = IndexedObject.of(object, ingressClass);
    if (!object.key().kind().equals(Secret.KIND)) { // keys go when their objects do
      last.put(object.key(), input);
    }
    return input;
  }
}
