// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.Resource;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One resource: its cache entry and its watchers. An entry without watchers is invisible (dump,
 * metrics) but lives on until the server has been told, so that whoever comes back in the meantime
 * finds it.
 */
final class Entry<T> {
  final ResourceType<T> type;
  final String name;
  final Authority authority;
  private final EngineContext context;

  private final List<WatcherSlot<T>> watchers = new ArrayList<>(1);
  private CacheEntry<T> state = new CacheEntry.Requested<>();

  /**
   * When the failure of the current state became known, to tell which of two errors is the newer.
   */
  private long failureSequence;

  /** Who sent the resource in use: what it means may depend on the server's features. */
  private @Nullable ServerConfig source;

  /** What the server says of this entry together with others, while that is all it says of it. */
  private @Nullable Repetition<T> repetition;

  /** Up to where that has been taken over. */
  private long confirmedIn;

  /** How many connections know of this entry. */
  private int subscriptions;

  private @Nullable String observedLabel;

  Entry(ResourceType<T> type, String name, Authority authority, EngineContext context) {
    this.type = type;
    this.name = name;
    this.authority = authority;
    this.context = context;
  }

  CacheEntry<T> state() {
    if (repetition != null && repetition.sequence() != confirmedIn) {
      confirm(repetition);
    }
    return state;
  }

  private void confirm(Repetition<T> by) {
    confirmedIn = by.sequence();
    Cached<T> before = state.resource();
    if (before != null) {
      state =
          Transitions.received(
              new Cached<>(before.value(), before.serialized(), by.version(), by.time()));
    }
  }

  /** From now on, what {@code common} says of all its entries is true of this one. */
  void join(Repetition<T> common) {
    if (repetition != null) {
      repetition.departed();
    }
    repetition = common;
    confirmedIn = common.sequence();
    common.joined();
  }

  @Nullable ServerConfig source() {
    return source;
  }

  boolean isWatched() {
    return !watchers.isEmpty();
  }

  /** Adds a watcher; {@link #tellWatchers} is to follow. */
  void add(WatcherSlot<T> slot) {
    watchers.add(slot);
    observe();
  }

  /** Returns whether the watcher was here. */
  boolean remove(WatcherSlot<T> slot) {
    boolean removed = watchers.remove(slot);
    observe();
    return removed;
  }

  void cancelAll() {
    watchers.forEach(WatcherSlot::cancel);
    watchers.clear();
    observe();
  }

  void subscribed() {
    subscriptions++;
  }

  /** Returns whether nobody knows of this entry any more. */
  boolean unsubscribed() {
    subscriptions--;
    return subscriptions == 0 && watchers.isEmpty();
  }

  void received(Cached<T> resource, ServerConfig from) {
    source = from;
    set(Transitions.received(resource));
  }

  void set(CacheEntry<T> next) {
    if (repetition != null) {
      repetition.departed();
      repetition = null;
    }
    Failure before = state.failure();
    Failure after = next.failure();
    if (after != null && (before == null || !View.same(before.status(), after.status()))) {
      failureSequence = context.nextSequence();
    }
    state = next;
    observe();
  }

  /** Brings all watchers up to date. */
  void tellWatchers(@Nullable ReadBarrier barrier) {
    if (watchers.isEmpty()) {
      return;
    }
    View<T> view = view();
    for (WatcherSlot<T> slot : watchers) {
      slot.tell(view, barrier);
    }
  }

  private View<T> view() {
    Cached<T> resource = state().resource(); // also what was confirmed together with others
    Status error = error();
    if (resource != null) {
      return View.resource(new Resource<>(name, resource.version(), resource.value()), error);
    }
    return error == null ? View.nothing() : View.error(error);
  }

  /** What is wrong with the resource, with the way to its server, or with both. */
  private @Nullable Status error() {
    Failure failure = state.failure();
    Status cause = authority.connectivityError(state.resource() != null);
    if (cause == null) {
      return failure == null ? null : failure.status();
    }
    Status connectivity = context.errors.connectivity(type, name, cause);
    if (failure == null) {
      return connectivity;
    }
    return authority.connectivitySequence() > failureSequence
        ? context.errors.both(connectivity, failure.status())
        : context.errors.both(failure.status(), connectivity);
  }

  private void observe() {
    String label = watchers.isEmpty() ? null : state.label();
    if (label == null ? observedLabel != null : !label.equals(observedLabel)) {
      context.observer.cacheStateChanged(authority.label(), type, observedLabel, label);
      observedLabel = label;
    }
  }
}
