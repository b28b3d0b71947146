// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.xds.client.BackoffPolicy;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
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

  /** The last accepted version (SotW), while what it stands for is held; outlives streams. */
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

  /** What is owed to the last responses. */
  final Answers answers;

  /** Hashes of what was refused in the last response and belongs to nobody in particular. */
  Set<Integer> refused = Set.of();

  /**
   * Those of which the server believes that we hold what we do not hold. It is to be told that they
   * are not wanted, and then that they are.
   */
  private final Set<Subscription<T>> misjudged = new LinkedHashSet<>();

  /** Whether a request without a version is to make the server (SotW) send everything. */
  private boolean claimNothing;

  private final Damper resubscriptions;
  private long resubscribeNotBefore;

  /**
   * @param damping for what a server could make us say without end
   */
  TypeState(ResourceType<T> type, BackoffPolicy damping, RandomGenerator random) {
    this.type = type;
    typeUrlBytes = ByteString.copyFromUtf8(type.typeUrl());
    answers = new Answers(damping, random);
    resubscriptions = new Damper(damping, random);
  }

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

  /**
   * Makes the server send the resource again, or say again what is wrong with it, as if it had
   * never been sent: by unsubscribing and subscribing, in two requests. A subscription that is
   * repeated should have that effect too, but not every server heeds that.
   */
  void resubscribe(Subscription<T> subscription, long nowNanos) {
    version = "";
    if (subscription.sent) {
      if (misjudged.isEmpty()) {
        resubscribeNotBefore = resubscriptions.notBefore(nowNanos);
      }
      misjudged.add(subscription);
    }
  }

  boolean isMisjudged(Subscription<T> subscription) {
    return misjudged.contains(subscription);
  }

  /** These are held as the server believes. */
  void holds(Set<Subscription<T>> held) {
    misjudged.removeAll(held);
  }

  /**
   * Whatever another server sent meanwhile is to be replaced by what {@code server} has already
   * sent and takes for known.
   */
  void reclaim(Authority authority, ServerConfig server, AdsProtocol protocol, long nowNanos) {
    for (Subscription<T> subscription : subscriptions.values()) {
      Entry<T> entry = subscription.entry;
      if (entry.authority == authority
          && subscription.answered
          && entry.state().resource() != null
          && !server.equals(entry.source())) {
        if (protocol == AdsProtocol.SOTW && type.completeness() == Completeness.FULL) {
          // While it is not asked for it is not stated, and would seem to be deleted.
          claimNothing = true;
        } else {
          resubscribe(subscription, nowNanos);
        }
      }
    }
  }

  /**
   * Makes sure that no version is claimed on a new stream (SotW) by which the server would conclude
   * that it need not send something that is not held, or is not known to be good.
   */
  void claimOnlyWhatIsHeld(ServerConfig server) {
    for (Subscription<T> subscription : subscriptions.values()) {
      Entry<T> entry = subscription.entry;
      if (entry.isWatched()
          && (entry.state().state() != CacheEntry.State.ACKED || !server.equals(entry.source()))) {
        version = "";
        return;
      }
    }
  }

  /** When there is something to say that may not be said yet; null if there is nothing. */
  @Nullable Long dueAt() {
    Long answer = answers.dueAt();
    if (misjudged.isEmpty()) {
      return answer;
    }
    return answer == null ? resubscribeNotBefore : Math.min(answer, resubscribeNotBefore);
  }

  private void drop(Subscription<T> subscription, @Nullable ResourceTimers timers) {
    misjudged.remove(subscription);
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
  boolean isDue(ResourceTimers timers, long nowNanos) {
    if (answers.isDue(nowNanos) || mayResubscribe(nowNanos) || mayClaimNothing()) {
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

  /** An answer has a version of its own. */
  private boolean mayClaimNothing() {
    return claimNothing && answers.next() == null;
  }

  private boolean mayResubscribe(long nowNanos) {
    return !misjudged.isEmpty() && nowNanos >= resubscribeNotBefore;
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
  Changes<T> handOver(ResourceTimers timers, long nowNanos) {
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
    if (mayResubscribe(nowNanos)) {
      for (Subscription<T> subscription : misjudged) {
        subscription.sent = false;
        removed.add(subscription.entry.name);
        changed.add(subscription); // for the next request
      }
      misjudged.clear();
      resubscriptions.happenedAt(nowNanos);
    }
    if (mayClaimNothing()) {
      claimNothing = false;
      version = "";
    }
    due = !changed.isEmpty();
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
    answers.clear();
    refused = Set.of();
    misjudged.clear();
    claimNothing = false;
    resubscriptions.reset();
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
