// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.holdfast.base.Decoded;
import dev.holdfast.base.Problem;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.CacheEntry.Cached;
import dev.holdfast.xds.client.CacheEntry.Failure;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.transport.AdsProtocol;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Takes one response of a known type in: resources first, then the server's errors, then what is no
 * more. Good resources of a partly bad response are used (gRFC A46). The answer is on its way
 * before any watcher is told.
 */
final class ResponseHandler<T> {
  private final Connection connection;
  private final EngineContext context;
  private final ResourceTimers timers;
  private final TypeState<T> type;
  private final Response response;
  private final ReadBarrier barrier;

  private final long sequence;
  private final Instant now;
  private final Nack nack = new Nack();
  private final List<Entry<T>> changed = new ArrayList<>();
  private int valid;
  private int invalid;

  /**
   * Whether an entry came whose name cannot be known: then nothing may be inferred from absence.
   */
  private boolean unnamed;

  ResponseHandler(
      Connection connection,
      EngineContext context,
      ResourceTimers timers,
      TypeState<T> type,
      Response response,
      ReadBarrier barrier) {
    this.connection = connection;
    this.context = context;
    this.timers = timers;
    this.type = type;
    this.response = response;
    this.barrier = barrier;
    sequence = context.nextSequence();
    now = context.now();
  }

  void handle(Runnable beforeWatchers) {
    for (int i = 0; i < response.packed().size(); i++) {
      resource(i, response.unpack(i, type.typeUrlBytes));
    }
    Map<Subscription<T>, com.google.rpc.Status> errors = resourceErrors();
    answer(errors.size());
    beforeWatchers.run();
    tellWatchers();
    errors.forEach(this::applyError);
    tellWatchers();
    if (response.protocol() == AdsProtocol.DELTA) {
      response.removed().forEach(name -> removed(name, errors));
    } else if (type.type.completeness() == Completeness.FULL && !unnamed) {
      type.subscriptions().forEach(this::deletedIfOmitted);
    }
    tellWatchers();
  }

  private void tellWatchers() {
    changed.forEach(entry -> entry.tellWatchers(barrier));
    changed.clear();
  }

  // Resources.

  private void resource(int index, RawResource raw) {
    ByteString bytes = raw.bytes();
    String name = raw.name();
    if (raw.fault() != null) {
      rejected(index, name, null, undecodable(raw.fault()));
    } else if (bytes == null) {
      withoutBody(index, raw);
    } else {
      if (name == null) {
        name = type.type.peekName(bytes);
      }
      if (name == null) {
        decode(index, null, null, bytes, raw);
        return;
      }
      Subscription<T> subscription;
      try {
        subscription = subscription(name);
      } catch (ResourceName.MalformedException e) {
        rejected(index, name, null, List.of(new Problem("name", Problem.Kind.INVALID, e.reason())));
        return;
      }
      if (subscription == null) {
        return; // not asked for: neither used nor judged
      }
      known(index, name, subscription, bytes, raw);
    }
  }

  private void known(
      int index, String name, Subscription<T> subscription, ByteString bytes, RawResource raw) {
    Cached<T> cached = subscription.entry.state().resource();
    if (cached != null
        && connection.server.equals(subscription.entry.source())
        && cached.serialized().equals(bytes)) {
      accepted(subscription, cached.value(), cached.serialized(), raw);
    } else if (subscription.rejected != null && subscription.rejected.bytes().equals(bytes)) {
      rejected(index, name, subscription.rejected.bytes(), subscription.rejected.problems());
    } else {
      decode(index, name, subscription, bytes, raw);
    }
  }

  private void decode(
      int index,
      @Nullable String name,
      @Nullable Subscription<T> known,
      ByteString view,
      RawResource raw) {
    // The view keeps the whole response alive; what is kept must not.
    ByteString bytes = UnsafeByteOperations.unsafeWrap(view.toByteArray());
    Decoded<T> decoded = decodeContained(bytes);
    String effectiveName = name != null ? name : decoded.name();
    Subscription<T> subscription = known;
    if (subscription == null && effectiveName != null) {
      try {
        subscription = subscription(effectiveName);
      } catch (ResourceName.MalformedException e) {
        subscription = null;
      }
    }
    if (decoded instanceof Decoded.Valid<T> good) {
      if (subscription != null) {
        accepted(subscription, good.value(), bytes, raw);
      }
    } else if (decoded instanceof Decoded.Invalid<T> bad) {
      if (subscription != null || effectiveName == null) {
        rejected(index, effectiveName, bytes, bad.problems());
      }
    }
  }

  private Decoded<T> decodeContained(ByteString bytes) {
    try {
      return type.type.decode(bytes, connection.server);
    } catch (RuntimeException | StackOverflowError e) {
      return Decoded.invalid(null, undecodable("the decoder failed: " + e));
    }
  }

  /** A wrapper around nothing. In Delta that is how a server says "still the same". */
  private void withoutBody(int index, RawResource raw) {
    Subscription<T> subscription = null;
    if (raw.name() != null) {
      subscription = subscriptionOrNull(raw.name());
      if (subscription == null) {
        return;
      }
    }
    Cached<T> cached = subscription == null ? null : subscription.entry.state().resource();
    if (subscription != null
        && cached != null
        && response.protocol() == AdsProtocol.DELTA
        && cached.version().equals(raw.version())) {
      accepted(subscription, cached.value(), cached.serialized(), raw);
    } else {
      rejected(index, raw.name(), null, undecodable("the wrapper holds no resource"));
    }
  }

  private void accepted(Subscription<T> subscription, T value, ByteString bytes, RawResource raw) {
    valid++;
    mention(subscription);
    subscription.rejected = null;
    Entry<T> entry = subscription.entry;
    Cached<T> before = entry.state().resource();
    String version =
        response.protocol() == AdsProtocol.DELTA || !raw.version().isEmpty()
            ? raw.version()
            : response.version();
    boolean same = before != null && (before.value() == value || before.value().equals(value));
    boolean news = !same || entry.state().state() != CacheEntry.State.ACKED;
    Cached<T> after =
        before != null && same
            ? new Cached<>(before.value(), bytes, version, before.deliveredVersion(), now)
            : new Cached<>(value, bytes, version, version, now);
    entry.received(after, connection.server);
    if (news) {
      changed.add(entry);
    }
  }

  private void rejected(
      int index, @Nullable String name, @Nullable ByteString bytes, List<Problem> problems) {
    Subscription<T> subscription = name == null ? null : subscriptionOrNull(name);
    if (name != null && subscription == null) {
      return; // not asked for
    }
    invalid++;
    nack.resource(index, name, problems);
    if (subscription == null) {
      unnamed = true;
      return;
    }
    mention(subscription);
    if (bytes != null) {
      subscription.rejected = new Subscription.Rejected(bytes, problems);
    }
    Entry<T> entry = subscription.entry;
    Failure failure = failure(context.errors.invalid(type.type, entry.name, problems));
    entry.set(Transitions.invalid(entry.state(), failure, connection.rules));
    changed.add(entry);
  }

  private static List<Problem> undecodable(String message) {
    return List.of(new Problem("", Problem.Kind.UNDECODABLE, message));
  }

  // The server's errors (xRFC TP3).

  private Map<Subscription<T>, com.google.rpc.Status> resourceErrors() {
    Map<Subscription<T>, com.google.rpc.Status> errors = new LinkedHashMap<>();
    if (!connection.rules.readResourceErrors()) {
      return errors;
    }
    for (int i = 0; i < response.errors().size(); i++) {
      ResourceErrors.read(response, i, nack)
          .ifPresent(
              error -> {
                Subscription<T> subscription = subscriptionOrNull(error.name());
                if (subscription != null) {
                  errors.put(subscription, error.detail());
                }
              });
    }
    return errors;
  }

  private void applyError(Subscription<T> subscription, com.google.rpc.Status detail) {
    mention(subscription);
    Entry<T> entry = subscription.entry;
    Failure failure = failure(context.errors.fromServer(type.type, entry.name, detail));
    entry.set(Transitions.errorReceived(entry.state(), failure, connection.rules));
    changed.add(entry);
  }

  // What is no more.

  private void removed(String name, Map<Subscription<T>, com.google.rpc.Status> errors) {
    Subscription<T> subscription = subscriptionOrNull(name);
    if (subscription != null && !errors.containsKey(subscription)) {
      mention(subscription);
      delete(subscription.entry);
    }
  }

  /**
   * An error that the server sent stands until it sends something else; absence is not something
   * else.
   */
  private void deletedIfOmitted(Subscription<T> subscription) {
    CacheEntry<T> state = subscription.entry.state();
    if (subscription.sent
        && subscription.mentionedIn != sequence
        && state.resource() != null
        && state.state() != CacheEntry.State.RECEIVED_ERROR) {
      delete(subscription.entry);
    }
  }

  private void delete(Entry<T> entry) {
    Failure failure = failure(context.errors.deleted(type.type, entry.name, connection.server));
    entry.set(Transitions.deleted(entry.state(), failure, connection.rules));
    changed.add(entry);
  }

  // The answer.

  private void answer(int errors) {
    type.nonce = response.nonce();
    if (nack.isEmpty() || valid > 0) {
      type.version = response.version();
    }
    type.answer = new TypeState.Answer(nack.toStatus(type.type));
    invalid += errors + nack.errorCount();
    if (!nack.isEmpty()) {
      context.observer.nackSent(
          connection.server, type.type, response.version(), nack.text(type.type));
    }
    if (valid > 0 || invalid > 0) {
      context.observer.resourceUpdates(connection.server, type.type, valid, invalid);
    }
  }

  // Odds and ends.

  private void mention(Subscription<T> subscription) {
    subscription.mentionedIn = sequence;
    subscription.answered = true;
    timers.stop(subscription);
  }

  private Failure failure(io.grpc.Status status) {
    return new Failure(status, response.version(), now);
  }

  private @Nullable Subscription<T> subscription(String name)
      throws ResourceName.MalformedException {
    Subscription<T> exact = type.get(name);
    if (exact != null || !ResourceName.isFederated(name)) {
      return exact;
    }
    boolean federation = context.config.behaviour().federation();
    return type.get(ResourceName.parse(name, type.type.typeName(), federation).canonical());
  }

  private @Nullable Subscription<T> subscriptionOrNull(String name) {
    try {
      return subscription(name);
    } catch (ResourceName.MalformedException e) {
      return null;
    }
  }
}
