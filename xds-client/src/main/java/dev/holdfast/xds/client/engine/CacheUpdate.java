// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteString;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.transport.AdsProtocol;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one response does to the cache: each verdict on a resource becomes a transition of its
 * entry, is counted, and is noted for the answer and for the watchers.
 */
final class CacheUpdate<T> {
  final Connection connection;
  final EngineContext context;
  final TypeState<T> type;
  final Response response;
  private final ResourceTimers timers;

  final long sequence;
  final Instant now;
  final Nack nack = new Nack();
  private final List<Entry<T>> changed = new ArrayList<>();
  private int valid;
  private int invalid;

  /** The subscription of each entry looked at; null for what nobody asked for. */
  private final List<@Nullable Subscription<T>> owners = new ArrayList<>();

  /** What keeps this response from being a shortcut for the next. */
  private int peculiarities;

  /**
   * Whether a resource or an error came whose name cannot be known: then nothing may be inferred
   * from absence.
   */
  private boolean unnamed;

  /** Whether the server says anything that it has not said before. */
  private boolean news;

  /** Of which the server believed something else, and which are held now as it has them. */
  private final Set<Subscription<T>> held = new HashSet<>();

  /** What this response has put in the place of something else. */
  private final Set<Subscription<T>> replaced = new HashSet<>();

  /** Hashes of what was refused and belongs to nobody in particular. */
  private final Set<Integer> refused = new HashSet<>();

  CacheUpdate(
      Connection connection,
      EngineContext context,
      ResourceTimers timers,
      TypeState<T> type,
      Response response) {
    this.connection = connection;
    this.context = context;
    this.timers = timers;
    this.type = type;
    this.response = response;
    sequence = context.nextSequence();
    now = context.now();
  }

  /** The next entry is looked at. */
  void begin(boolean wrapped) {
    owners.add(null);
    if (wrapped) {
      peculiarities++; // it has a version of its own
    }
  }

  // Verdicts.

  void accepted(Subscription<T> subscription, T value, ByteString bytes, RawResource raw) {
    valid++;
    if (subscription.mentionedIn == sequence) {
      peculiarities++; // a second time in one response
    }
    if (!owners.isEmpty()) {
      owners.set(owners.size() - 1, subscription);
    }
    mention(subscription);
    subscription.rejected = null;
    Entry<T> entry = subscription.entry;
    Cached<T> before = entry.state().resource();
    String version =
        response.protocol() == AdsProtocol.DELTA || !raw.version().isEmpty()
            ? raw.version()
            : response.version();
    boolean same = before != null && (before.value() == value || before.value().equals(value));
    boolean changes = !same || entry.state().state() != CacheEntry.State.ACKED;
    T kept = before != null && same ? before.value() : value; // watchers know it by identity
    entry.received(new Cached<>(kept, bytes, version, now), connection.server);
    if (type.isMisjudged(subscription)) {
      held.add(subscription);
    }
    if (changes) {
      news = true;
      changed.add(entry);
      if (before != null) {
        replaced.add(subscription);
      }
    }
  }

  /**
   * @param again whether these very bytes were refused the last time
   */
  void rejected(int index, Subscription<T> subscription, List<Problem> problems, boolean again) {
    invalid++;
    Entry<T> entry = subscription.entry;
    nack.resource(index, entry.name, problems);
    Failure failure = failure(context.errors.invalid(type.type, entry.name, problems));
    news |= !again || entry.state().state() != CacheEntry.State.NACKED;
    set(subscription, Transitions.invalid(entry.state(), failure, connection.rules));
  }

  /** It cannot be told whose this bad entry is: it may be anybody's. */
  void nobodys(int index, @Nullable String name, List<Problem> problems) {
    invalid++;
    nack.resource(index, name, problems);
    refusedUnnamed(response.packed().get(index));
  }

  /** An entry or an error whose name cannot be known was refused. */
  private void refusedUnnamed(ByteString bytes) {
    refused(bytes);
    unnamed = true;
  }

  private void refused(ByteString bytes) {
    int hash = bytes.hashCode();
    refused.add(hash);
    news |= !type.refused.contains(hash);
  }

  /** An error that the server sent makes no sense. */
  void malformedError(int index, boolean named, String fault) {
    nack.resourceError(index, fault);
    if (named) {
      refused(response.errors().get(index));
    } else {
      refusedUnnamed(response.errors().get(index));
    }
  }

  /** Whether this is another error than the one that the server sent the last time. */
  void noteError(Subscription<T> subscription, com.google.rpc.Status detail) {
    Entry<T> entry = subscription.entry;
    Failure before = entry.state().failure();
    news |=
        entry.state().state() != CacheEntry.State.RECEIVED_ERROR
            || before == null
            || !View.same(
                before.status(), context.errors.fromServer(type.type, entry.name, detail));
  }

  void failed(Subscription<T> subscription, com.google.rpc.Status detail) {
    peculiarities++;
    Entry<T> entry = subscription.entry;
    Failure failure = failure(context.errors.fromServer(type.type, entry.name, detail));
    set(subscription, Transitions.errorReceived(entry.state(), failure, connection.rules));
  }

  void noteRemoval(Subscription<T> subscription) {
    news |= subscription.entry.state().state() != CacheEntry.State.DOES_NOT_EXIST;
  }

  /** The server says so (Delta). */
  void removed(Subscription<T> subscription) {
    CacheEntry<T> before = subscription.entry.state();
    mention(subscription);
    deleted(subscription.entry);
    if (before.resource() != null
        && before.state() != CacheEntry.State.DOES_NOT_EXIST
        && subscription.entry.state().state() == CacheEntry.State.DOES_NOT_EXIST) {
      // Some servers forget the subscription together with the resource.
      type.resubscribe(subscription, context.nanoTime());
    }
  }

  /** Removed, or missing where everything is stated (SotW): server and client agree. */
  void deleted(Entry<T> entry) {
    peculiarities++;
    Failure failure = failure(context.errors.deleted(type.type, entry.name, connection.server));
    entry.set(Transitions.deleted(entry.state(), failure, connection.rules));
    changed.add(entry);
  }

  /**
   * What is dropped here is not dropped there: a server goes by the client having the last version
   * that it accepted. If it goes back to that version it has nothing to send.
   */
  private void set(Subscription<T> subscription, CacheEntry<T> next) {
    mention(subscription);
    boolean drops = subscription.entry.state().resource() != null && next.resource() == null;
    subscription.entry.set(next);
    changed.add(subscription.entry);
    held.remove(subscription);
    if (drops) {
      type.resubscribe(subscription, context.nanoTime());
    }
  }

  /** Counts resources that are what they were. */
  void confirmed(int count) {
    valid += count;
  }

  boolean hasUnnamed() {
    return unnamed;
  }

  // What follows.

  /** The response as a shortcut for the next one; null if it was not all good and complete. */
  @Nullable Repetition<T> repetition() {
    return nack.isEmpty() && peculiarities == 0
        ? new Repetition<>(response.packed(), owners, response.version(), now, sequence)
        : null;
  }

  void tellWatchers(ReadBarrier barrier) {
    changed.forEach(entry -> entry.tellWatchers(barrier));
    changed.clear();
  }

  void answer(int errors) {
    type.nonce = response.nonce();
    if (nack.isEmpty() || valid > 0) {
      type.version = response.version();
    }
    if (!nack.isEmpty() && response.protocol() == AdsProtocol.DELTA) {
      // The server goes by nothing of this having been accepted (SotW has the version to tell).
      replaced.forEach(subscription -> type.resubscribe(subscription, context.nanoTime()));
    } else {
      type.holds(held);
    }
    type.refused = refused;
    type.answers.add(
        new Answers.Answer(response.nonce(), type.version, nack.toStatus(type.type)),
        /* repeated= */ !news,
        context.nanoTime());
    invalid += errors + nack.errorCount();
    if (!nack.isEmpty()) {
      context.observer.nackSent(
          connection.server, type.type, response.version(), nack.text(type.type));
    }
    if (valid > 0 || invalid > 0) {
      context.observer.resourceUpdates(connection.server, type.type, valid, invalid);
    }
  }

  // Whom it concerns.

  void mention(Subscription<T> subscription) {
    subscription.mentionedIn = sequence;
    timers.stop(subscription);
  }

  private Failure failure(io.grpc.Status status) {
    return new Failure(status, response.version(), now);
  }

  @Nullable Subscription<T> subscription(String name) throws ResourceName.MalformedException {
    Subscription<T> exact = type.get(name);
    if (exact != null || !ResourceName.isFederated(name)) {
      return exact;
    }
    boolean federation = context.config.behaviour().federation();
    return type.get(ResourceName.parse(name, type.type.typeName(), federation).canonical());
  }

  @Nullable Subscription<T> subscriptionOrNull(String name) {
    try {
      return subscription(name);
    } catch (ResourceName.MalformedException e) {
      return null;
    }
  }
}
