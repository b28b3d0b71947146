// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.mask;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The sensitive values of all objects that proxies may have seen: the newest generations, those
 * that are served, and for a while those that are neither, because a proxy's answer takes its time.
 * Removes these values from texts. Loop only.
 */
public final class SensitiveValues {
  /** What stands where a sensitive value was. */
  public static final String MASK = "[removed]";

  private static final Duration GRACE = Duration.ofMinutes(10);

  private final TimeSource time;
  private final MaskIndex index = new MaskIndex();
  private final Map<ObjectKey, Known> newest = new HashMap<>();

  /** Generations that are no longer the newest of their object, oldest first. */
  private final List<Known> replaced = new ArrayList<>();

  private record Known(ConfigObject object, Set<ByteBuffer> values, long replacedAt) {}

  public SensitiveValues(TimeSource time) {
    this.time = time;
  }

  /** Masks the values of a single object. */
  public static UnaryOperator<String> maskOf(ConfigObject object) {
    MaskIndex index = new MaskIndex();
    SensitiveContent.of(object).forEach(index::add);
    return index::mask;
  }

  /** An object has a new generation. */
  public void put(ConfigObject object) {
    Set<ByteBuffer> values = SensitiveContent.of(object);
    values.forEach(index::add);
    replace(object.key(), values.isEmpty() ? null : new Known(object, values, 0));
  }

  /** An object was deleted. */
  public void remove(ObjectKey key) {
    replace(key, null);
  }

  private void replace(ObjectKey key, @Nullable Known next) {
    Known before = next == null ? newest.remove(key) : newest.put(key, next);
    if (before != null) {
      replaced.add(new Known(before.object, before.values, time.nanoTime()));
    }
  }

  /** Adds a generation that an earlier process served; the newest one is not known yet. */
  public void addServed(ConfigObject object) {
    Set<ByteBuffer> values = SensitiveContent.of(object);
    if (!values.isEmpty()) {
      values.forEach(index::add);
      replaced.add(new Known(object, values, time.nanoTime()));
    }
  }

  /** Forgets replaced generations that no proxy is served any more. */
  public void forget(Predicate<ConfigObject> isServed) {
    long now = time.nanoTime();
    for (Iterator<Known> all = replaced.iterator(); all.hasNext(); ) {
      Known known = all.next();
      if (now - known.replacedAt < GRACE.toNanos()) {
        continue;
      }
      if (!isServed.test(known.object)) {
        all.remove();
        known.values.forEach(index::remove);
      }
    }
  }

  /** The text with {@link #MASK} in the place of every sensitive value, in whichever form. */
  public String mask(String text) {
    return index.mask(text);
  }
}
