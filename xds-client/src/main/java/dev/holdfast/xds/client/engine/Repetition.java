// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A response that stated everything (LDS, CDS), all of it good, and whom each of its entries
 * belongs to. When the server states everything again because one resource changed, only the
 * entries whose bytes differ have to be looked at; that all others were confirmed is written down
 * here, once, and reaches a cache entry when somebody looks at it.
 *
 * <p>It holds as long as no entry that it speaks for has changed otherwise, and the subscriptions
 * are the same.
 */
final class Repetition<T> {
  private Entries packed;
  private final List<@Nullable Subscription<T>> owners;
  private final int valid;

  private String version;
  private Instant time;
  private long sequence;

  /** How many of the entries it speaks for have gone their own ways. */
  private int departed;

  /**
   * @param owners the subscription of each entry; null for what nobody asked for
   */
  Repetition(
      Entries packed,
      List<@Nullable Subscription<T>> owners,
      String version,
      Instant time,
      long sequence) {
    this.packed = packed;
    this.owners = owners;
    this.version = version;
    this.time = time;
    this.sequence = sequence;
    int count = 0;
    for (Subscription<T> owner : owners) {
      if (owner != null) {
        count++;
        owner.entry.join(this);
      }
    }
    valid = count;
    departed = 0;
  }

  String version() {
    return version;
  }

  Instant time() {
    return time;
  }

  long sequence() {
    return sequence;
  }

  void joined() {
    departed--;
  }

  void departed() {
    departed++;
  }

  /** How many resources it holds that are asked for. */
  int valid() {
    return valid;
  }

  @Nullable Subscription<T> owner(int index) {
    return owners.get(index);
  }

  /** Where {@code other} differs; null if it is not the same but for some entries. */
  @Nullable List<Integer> differences(Entries other) {
    if (departed != 0 || other.size() != packed.size()) {
      return null;
    }
    List<Integer> differences = new ArrayList<>();
    for (int i = 0; i < other.size(); i++) {
      if (!packed.isSame(i, other)) {
        differences.add(i);
      }
    }
    return differences;
  }

  /** Said again, in another response. */
  void repeated(Entries again, String newVersion, Instant now, long newSequence) {
    packed = again;
    version = newVersion;
    time = now;
    sequence = newSequence;
  }
}
