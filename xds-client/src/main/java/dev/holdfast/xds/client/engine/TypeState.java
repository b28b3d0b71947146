// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.xds.client.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The subscriptions to one type on one connection, and where the conversation about it stands. */
final class TypeState<T> {
  final ResourceType<T> type;
  final ByteString typeUrlBytes;

  private final Map<String, Subscription<T>> subscriptions = new HashMap<>();

  /** Those whose wish and whose state on the wire may differ. */
  private final Set<Subscription<T>> changed = new LinkedHashSet<>();

  /** Names the server still believes in that have no subscription any more. */
  private final Set<String> dropped = new LinkedHashSet<>();

  /** The last accepted version (SotW); outlives streams. */
  String version = "";

  /** A request that names everything that is watched, without nonce, for reuse while that is so. */
  @Nullable Message template;

  // This stream.

  /** The last response, if it may be used as a shortcut for the next. */
  @Nullable Repetition<T> repetition;

  String nonce = "";

  /** Whether any request on this stream was about this type. */
  boolean mentioned;

  /** Whether changes should be sent without waiting for another reason to send. */
  private boolean due;

  /** The answer that is owed to the last response. */
  @Nullable Answer answer;

  TypeState(ResourceType<T> type) {
    this.type = type;
    typeUrlBytes = ByteString.copyFromUtf8(type.typeUrl());
  }

  /** ACK, or NACK with a reason. */
  record Answer(com.google.rpc.@Nullable Status error) {}

  @Nullable Subscription<T> get(String name) {
    return subscriptions.get(name);
  }

  Collection<Subscription<T>> subscriptions() {
    return subscriptions.values();
  }

  boolean isEmpty() {
    return subscriptions.isEmpty();
  }

  void subscribe(Entry<T> entry) {
    Subscription<T> subscription = subscriptions.get(entry.name);
    if (subscription == null) {
      subscription = new Subscription<>(entry);
      subscriptions.put(entry.name, subscription);
      entry.subscribed();
      repetition = null;
    }
    changed.add(subscription);
    due = true;
  }

  /** The entry has lost its last watcher. */
  void unwatched(Entry<?> entry, boolean tellServerSoon) {
    Subscription<T> subscription = subscriptions.get(entry.name);
    if (subscription != null) {
      changed.add(subscription);
      due |= tellServerSoon;
    }
  }

  /** Forgets subscriptions that nobody wants and the server need not be told about. */
  void dropUnsent(ResourceTimers timers) {
    changed.removeIf(
        subscription -> {
          boolean gone = !subscription.entry.isWatched() && !subscription.sent;
          if (gone) {
            drop(subscription, timers);
          }
          return gone || subscription.entry.isWatched() == subscription.sent;
        });
  }

  private void drop(Subscription<T> subscription, @Nullable ResourceTimers timers) {
    if (timers != null) {
      timers.stop(subscription);
    }
    subscriptions.remove(subscription.entry.name);
    repetition = null;
    if (subscription.entry.unsubscribed()) {
      subscription.entry.authority.forget(subscription.entry);
    }
  }

  /** Drops every subscription of {@code authority}; the server is told by the next request. */
  void dropAll(Authority authority, @Nullable ResourceTimers timers) {
    for (Subscription<T> subscription : List.copyOf(subscriptions.values())) {
      if (subscription.entry.authority == authority) {
        changed.remove(subscription);
        drop(subscription, timers);
        if (subscription.sent) {
          dropped.add(subscription.entry.name);
          due = true;
        }
      }
    }
  }

  /** Whether there is something to say about this type, and reason to say it now. */
  boolean isDue(ResourceTimers timers) {
    if (answer != null) {
      return true;
    }
    if (!due) {
      return false;
    }
    dropUnsent(timers);
    if (changed.isEmpty() && dropped.isEmpty()) {
      due = false;
    }
    return due && isOnStream();
  }

  /**
   * Whether this stream speaks of the type, or has reason to. It must not otherwise: a first
   * request without names asks for everything there is.
   */
  boolean isOnStream() {
    return mentioned || hasWatched();
  }

  private boolean hasWatched() {
    for (Subscription<T> subscription : subscriptions.values()) {
      if (subscription.entry.isWatched()) {
        return true;
      }
    }
    return false;
  }

  /** What a request must add and take away to make the server's view right. */
  record Changes<T>(List<Subscription<T>> added, List<String> removed) {}

  /** The changes a request carries that is handed over right after this call. */
  Changes<T> handOver(ResourceTimers timers) {
    dropUnsent(timers);
    List<Subscription<T>> added = new ArrayList<>();
    Set<String> removed = new LinkedHashSet<>(dropped);
    for (Subscription<T> subscription : changed) {
      if (subscription.entry.isWatched()) {
        subscription.sent = true;
        added.add(subscription);
        removed.remove(subscription.entry.name); // asked for anew: to be sent again, not taken away
      } else {
        removed.add(subscription.entry.name);
        drop(subscription, timers);
      }
    }
    changed.clear();
    dropped.clear();
    due = false;
    mentioned = true;
    if (!added.isEmpty() || !removed.isEmpty()) {
      template = null;
    }
    return new Changes<>(added, List.copyOf(removed));
  }

  /** The stream is gone: everything has to be said again on the next one. */
  void forgetStream() {
    nonce = "";
    repetition = null;
    mentioned = false;
    answer = null;
    dropped.clear();
    changed.clear();
    for (Subscription<T> subscription : List.copyOf(subscriptions.values())) {
      subscription.forgetStream();
      if (subscription.entry.isWatched()) {
        changed.add(subscription);
      } else {
        drop(subscription, null);
      }
    }
    template = null;
    due = true;
  }
}
