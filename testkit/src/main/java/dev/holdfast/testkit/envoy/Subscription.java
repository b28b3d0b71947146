// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import dev.holdfast.base.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One interest in resources of a type: all of them, or some by name. */
final class Subscription {
  /** Why nothing came. */
  enum Failure {
    REJECTED,
    TIMED_OUT
  }

  /** Who is interested. */
  interface Callbacks {
    /** Takes changes, or throws {@link RejectedException}. */
    void update(List<DecodedResource> added, List<String> removed, String version);

    /** Takes all there is of what was asked for; SotW. */
    default void world(List<DecodedResource> all, String version) {
      update(all, List.of(), version);
    }

    void failed(Failure why);
  }

  final String type;
  final Set<String> names;

  /** Of resources called this, a slash and a last part without one; empty for no matter which. */
  private final String namespace;

  private final Callbacks callbacks;
  private final Stats stats;
  private final String prefix;
  private TimeSource.@Nullable Timer timer;

  Subscription(String type, Set<String> names, Callbacks callbacks, Stats stats, String prefix) {
    this(type, names, "", callbacks, stats, prefix);
  }

  private Subscription(
      String type,
      Set<String> names,
      String namespace,
      Callbacks callbacks,
      Stats stats,
      String prefix) {
    this.type = type;
    this.names = new TreeSet<>(names);
    this.namespace = namespace;
    this.callbacks = callbacks;
    this.stats = stats;
    this.prefix = prefix;
  }

  /** An interest in all resources under a name, although it asks for all there are. */
  static Subscription under(
      String namespace, String type, Callbacks callbacks, Stats stats, String prefix) {
    return new Subscription(type, Set.of(), namespace, callbacks, stats, prefix);
  }

  boolean isWildcard() {
    return names.isEmpty();
  }

  /** Whether a response without anything in it is news for it. */
  boolean hearsOfNothing() {
    return isWildcard() && namespace.isEmpty();
  }

  boolean isInterestedIn(String resource) {
    return namespace.isEmpty()
        ? isWildcard() || names.contains(resource)
        : resource.lastIndexOf('/') == namespace.length() && resource.startsWith(namespace);
  }

  /** Gives up waiting for the first answer after a time; zero waits for ever. */
  void waitFor(Duration timeout, EnvoyContext world) {
    if (!timeout.isZero()) {
      timer =
          world.schedule(
              timeout,
              () -> {
                if (timer != null) {
                  stopTimer();
                  stats.add(prefix + "init_fetch_timeout");
                  callbacks.failed(Failure.TIMED_OUT);
                }
              });
    }
  }

  void deliver(List<DecodedResource> added, List<String> removed, String version) {
    stopTimer();
    callbacks.update(added, removed, version);
    stats.add(prefix + "update_success");
  }

  void deliverWorld(List<DecodedResource> all, String version) {
    stopTimer();
    callbacks.world(all, version);
    stats.add(prefix + "update_success");
  }

  void reject() {
    stopTimer();
    stats.add(prefix + "update_rejected");
    callbacks.failed(Failure.REJECTED);
  }

  void stopTimer() {
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }
}
