// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers under which generation each object's body is known. Files have no generations of their
 * own; this is what gives them some.
 *
 * <p>An implementation that outlives the process makes generations survive a restart: it must have
 * stored what it returns before it returns, all of a call or nothing. It never forgets a name, not
 * even of an object that was removed, so that no generation ever stands for two different bodies.
 */
public interface Generations {
  /**
   * The generation and age of each object, given the digest of its body: 1 and {@code now} for a
   * name that was never seen, the same as before if the digest is, and one more with the same age
   * otherwise.
   *
   * @throws RuntimeException if they cannot be stored; nothing is then known of this call
   */
  default Map<ObjectKey, Generation> assign(Map<ObjectKey, String> digests, Instant now) {
    return assign(digests, Map.of(), now);
  }

  /**
   * The same for a source that counts generations itself. A body that is new to its name gets the
   * source's own number, so that people see the same one everywhere; and the next free one if that
   * number stood for another body before, as after the object was deleted and created again.
   *
   * @param counted the source's own numbers, of the objects for which it has some
   * @throws RuntimeException if they cannot be stored; nothing is then known of this call
   */
  Map<ObjectKey, Generation> assign(
      Map<ObjectKey, String> digests, Map<ObjectKey, Long> counted, Instant now);

  /**
   * What is known of objects, without assigning anything: of two bodies under one name, this tells
   * which one was there first. An implementation that cannot tell knows none.
   */
  default Map<ObjectKey, Generation> known(Set<ObjectKey> keys) {
    return Map.of();
  }

  /**
   * One generation of one object.
   *
   * @param number from 1
   * @param digest of the body
   * @param created when the name was first seen
   */
  record Generation(long number, String digest, Instant created) {
    /**
     * What comes after {@code before}, which may be null for a name that was never seen.
     *
     * @param counted the source's own number; null if it has none
     */
    public static Generation after(
        @Nullable Generation before, String digest, @Nullable Long counted, Instant now) {
      long own = counted == null ? 0 : counted;
      if (before == null) {
        return new Generation(Math.max(1, own), digest, now);
      }
      return before.digest().equals(digest)
          ? before
          : new Generation(Math.max(before.number() + 1, own), digest, before.created());
    }
  }

  /** Generations that live as long as the instance does. */
  static Generations inMemory() {
    return new InMemoryGenerations();
  }
}
