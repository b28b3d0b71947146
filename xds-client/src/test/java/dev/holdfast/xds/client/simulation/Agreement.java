// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.simulation;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceStatus;
import dev.holdfast.xds.client.fixture.ClientHarness;
import dev.holdfast.xds.client.fixture.TestType;
import dev.holdfast.xds.client.fixture.TestWatcher;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What must be true of every watcher at every moment. */
final class Agreement {
  private Agreement() {}

  interface Visitor {
    void visit(TestType type, String name, TestWatcher watcher);
  }

  /** Each watcher goes by what the dump shows. */
  static void check(ClientHarness harness, Consumer<Visitor> watchers) {
    Map<String, CacheEntry<?>> shown = new HashMap<>();
    for (ResourceStatus status : harness.dump()) {
      shown.put(status.type() + "/" + status.name(), status.entry());
    }
    watchers.accept(
        (type, name, watcher) -> {
          CacheEntry<?> entry = shown.get(type + "/" + name);
          if (entry == null) {
            throw new AssertionError(type + "/" + name + " is watched but not in the dump");
          }
          check(type + "/" + name, entry, watcher);
        });
  }

  private static void check(String what, CacheEntry<?> entry, TestWatcher watcher) {
    Resource<String> known = watcher.current();
    CacheEntry.Cached<?> cached = entry.resource();
    if (cached == null) {
      require(known == null, what + ": goes by a resource that is not cached");
      require(
          entry.failure() == null || watcher.currentError() != null,
          what + ": does not know of " + entry.failure());
      return;
    }
    require(
        known != null && known.value().equals(cached.value()),
        what + ": goes by " + known + " instead of " + cached.value());
    require(
        entry.failure() == null || watcher.currentAmbient() != null,
        what + ": does not know of ambient " + entry.failure());
  }

  /** A watcher that has only just come knows the version that the dump shows. */
  static void checkVersion(ClientHarness harness, TestType type, String name, TestWatcher watcher) {
    CacheEntry<?> entry = harness.dump(type, name);
    CacheEntry.Cached<?> cached = entry == null ? null : entry.resource();
    Resource<String> known = watcher.current();
    require(
        known == null || (cached != null && known.version().equals(cached.version())),
        type + "/" + name + ": knows " + known + " instead of " + cached);
  }

  /** After servers have behaved for a while nothing is wrong any more. */
  static void checkWhole(String name, TestWatcher watcher) {
    Resource<String> known = watcher.current();
    require(
        known != null && known.value().equals(RandomResponses.GOOD),
        name + ": not healed: " + known + ", error " + watcher.currentError());
    require(watcher.currentAmbient() == null, name + ": ambient " + watcher.currentAmbient());
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new AssertionError(message);
    }
  }
}
