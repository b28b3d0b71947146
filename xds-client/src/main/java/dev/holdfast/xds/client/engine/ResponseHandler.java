// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static java.util.Objects.requireNonNull;

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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

  /** The subscription of each entry; null for what nobody asked for. */
  private final List<@Nullable Subscription<T>> owners = new ArrayList<>();

  /** What keeps this response from being a shortcut for the next. */
  private int peculiarities;

  /**
   * Whether a resource or an error came whose name cannot be known: then nothing may be inferred
   * from absence.
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
    if (repeats()) {
      answer(/* errors= */ 0);
      beforeWatchers.run();
      tellWatchers();
      return;
    }
    type.repetition = null;
    for (int i = 0; i < response.packed().size(); i++) {
      resource(i, response.unpack(i, type.typeUrlBytes));
    }
    Set<Subscription<T>> contradicted = contradictions();
    Map<Subscription<T>, com.google.rpc.Status> errors = resourceErrors();
    contradicted.addAll(errors.keySet());
    answer(errors.size());
    beforeWatchers.run();
    tellWatchers();
    errors.forEach(this::applyError);
    tellWatchers();
    if (response.protocol() == AdsProtocol.DELTA) {
      response.removed().forEach(name -> removed(name, contradicted));
    } else if (type.type.completeness() == Completeness.FULL && !unnamed) {
      type.subscriptions().forEach(this::deletedIfOmitted);
      rememberIfClean();
    }
    tellWatchers();
  }

  // What the server only repeats.

  /**
   * If this response states the same resources as the one before, takes in those that changed; the
   * others are confirmed all at once. Nothing can be missing then.
   */
  private boolean repeats() {
    Repetition<T> before = type.repetition;
    if (before == null || !response.errors().isEmpty()) {
      return false;
    }
    List<Integer> differences = before.differences(response.packed());
    if (differences == null) {
      return false;
    }
    List<RawResource> raws = new ArrayList<>(differences.size());
    for (int index : differences) {
      RawResource raw = response.unpack(index, type.typeUrlBytes);
      if (!isPlain(raw, before.owner(index))) {
        return false;
      }
      raws.add(raw);
    }
    valid = before.valid() - differences.size();
    List<Subscription<T>> owners = new ArrayList<>(differences.size());
    for (int i = 0; i < raws.size(); i++) {
      Subscription<T> owner = requireNonNull(before.owner(differences.get(i)));
      known(differences.get(i), owner, requireNonNull(raws.get(i).bytes()), raws.get(i));
      owners.add(owner);
    }
    before.repeated(response.packed(), response.version(), now, sequence); // not of these, though
    for (Subscription<T> owner : owners) {
      if (owner.entry.state().state() == CacheEntry.State.ACKED) {
        owner.entry.join(before);
      }
    }
    return true;
  }

  /** Whether this is the resource of {@code owner}, without peculiarities. */
  private boolean isPlain(RawResource raw, @Nullable Subscription<T> owner) {
    return owner != null
        && raw.bytes() != null
        && raw.name() == null
        && owner.entry.name.equals(peekName(raw.bytes()));
  }

  private void rememberIfClean() {
    if (nack.isEmpty() && peculiarities == 0) {
      type.repetition =
          new Repetition<>(response.packed(), owners, response.version(), now, sequence);
    }
  }

  private void tellWatchers() {
    changed.forEach(entry -> entry.tellWatchers(barrier));
    changed.clear();
  }

  // Resources.

  private void resource(int index, RawResource raw) {
    owners.add(null);
    if (raw.name() != null) {
      peculiarities++; // a wrapper has a version of its own
    }
    ByteString bytes = raw.bytes();
    if (raw.fault() != null) {
      unusable(index, raw.name(), raw.fault());
    } else if (bytes == null) {
      withoutBody(index, raw);
    } else {
      String name = raw.name() != null ? raw.name() : peekName(bytes);
      if (name == null) {
        decode(index, null, bytes, raw);
      } else {
        Subscription<T> subscription = find(index, name);
        if (subscription != null) {
          known(index, subscription, bytes, raw);
        }
      }
    }
  }

  private void known(int index, Subscription<T> subscription, ByteString bytes, RawResource raw) {
    Cached<T> cached = subscription.entry.state().resource();
    if (cached != null
        && connection.server.equals(subscription.entry.source())
        && cached.serialized().equals(bytes)) {
      accepted(subscription, cached.value(), cached.serialized(), raw);
    } else if (subscription.rejected != null && subscription.rejected.bytes().equals(bytes)) {
      rejected(index, subscription, subscription.rejected.problems());
    } else {
      decode(index, subscription, bytes, raw);
    }
  }

  /**
   * @param known null if the name cannot be told without decoding
   */
  private void decode(
      int index, @Nullable Subscription<T> known, ByteString view, RawResource raw) {
    // The view keeps the whole response alive; what is kept must not.
    ByteString bytes = UnsafeByteOperations.unsafeWrap(view.toByteArray());
    Decoded<T> decoded = decodeContained(bytes);
    Subscription<T> subscription = known == null ? find(index, decoded) : known;
    if (subscription == null) {
      return;
    }
    if (decoded instanceof Decoded.Valid<T> good) {
      accepted(subscription, good.value(), bytes, raw);
    } else if (decoded instanceof Decoded.Invalid<T> bad) {
      subscription.rejected = new Subscription.Rejected(bytes, bad.problems());
      rejected(index, subscription, bad.problems());
    }
  }

  private Decoded<T> decodeContained(ByteString bytes) {
    try {
      return type.type.decode(bytes, connection.server);
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      return Decoded.invalid(null, undecodable("the decoder failed: " + e));
    }
  }

  private @Nullable String peekName(ByteString bytes) {
    try {
      String name = type.type.peekName(bytes);
      return name == null || name.isEmpty() ? null : name;
    } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError e) {
      return null; // the decoder gets to see the same bytes
    }
  }

  /** A wrapper around nothing. In Delta that is how a server says "still the same". */
  private void withoutBody(int index, RawResource raw) {
    Subscription<T> subscription = raw.name() == null ? null : subscriptionOrNull(raw.name());
    Cached<T> cached = subscription == null ? null : subscription.entry.state().resource();
    if (subscription != null
        && cached != null
        && response.protocol() == AdsProtocol.DELTA
        && cached.version().equals(raw.version())) {
      accepted(subscription, cached.value(), cached.serialized(), raw);
    } else {
      unusable(index, raw.name(), "the wrapper holds no resource");
    }
  }

  /** An entry of which at most the wrapper could be read. */
  private void unusable(int index, @Nullable String name, String fault) {
    if (name == null) {
      nobodys(index, null, undecodable(fault));
      return;
    }
    Subscription<T> subscription = find(index, name);
    if (subscription != null) {
      rejected(index, subscription, undecodable(fault));
    }
  }

  /** Null if the name was not asked for, and also if it is no name, which is noted. */
  private @Nullable Subscription<T> find(int index, String name) {
    try {
      return subscription(name); // if there is none, the resource is neither used nor judged
    } catch (ResourceName.MalformedException e) {
      nobodys(index, name, List.of(new Problem("name", Problem.Kind.INVALID, e.reason())));
      return null;
    }
  }

  private @Nullable Subscription<T> find(int index, Decoded<T> decoded) {
    String name = decoded.name();
    if (name != null && !name.isEmpty()) {
      return find(index, name);
    }
    nobodys(
        index,
        null,
        decoded.fold(
            good -> List.of(new Problem("name", Problem.Kind.REQUIRED, "must be set")),
            bad -> bad.problems()));
    return null;
  }

  private void accepted(Subscription<T> subscription, T value, ByteString bytes, RawResource raw) {
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

  private void rejected(int index, Subscription<T> subscription, List<Problem> problems) {
    invalid++;
    mention(subscription);
    Entry<T> entry = subscription.entry;
    nack.resource(index, entry.name, problems);
    Failure failure = failure(context.errors.invalid(type.type, entry.name, problems));
    entry.set(Transitions.invalid(entry.state(), failure, connection.rules));
    changed.add(entry);
  }

  /** It cannot be told whose this bad entry is: it may be anybody's. */
  private void nobodys(int index, @Nullable String name, List<Problem> problems) {
    invalid++;
    nack.resource(index, name, problems);
    unnamed = true;
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
      ResourceErrors.Read error = ResourceErrors.read(response, i);
      if (error.name() == null) {
        unnamed = true;
        nack.resourceError(i, String.valueOf(error.fault()));
        continue;
      }
      Subscription<T> subscription;
      try {
        subscription = subscription(error.name());
      } catch (ResourceName.MalformedException e) {
        nack.resourceError(i, e.reason());
        continue;
      }
      if (error.fault() != null) {
        nack.resourceError(i, error.fault());
        if (subscription != null) {
          subscription.mentionedIn = sequence; // not an answer, but not an absence either
        }
      } else if (subscription != null) {
        errors.put(subscription, error.detail());
      }
    }
    return errors;
  }

  private void applyError(Subscription<T> subscription, com.google.rpc.Status detail) {
    peculiarities++;
    mention(subscription);
    Entry<T> entry = subscription.entry;
    Failure failure = failure(context.errors.fromServer(type.type, entry.name, detail));
    entry.set(Transitions.errorReceived(entry.state(), failure, connection.rules));
    changed.add(entry);
  }

  // What is no more.

  /**
   * What this response both holds and removes (Delta). The resource counts, as the lesser harm, and
   * the server is told. To be called when only the resources have been looked at.
   */
  private Set<Subscription<T>> contradictions() {
    Set<Subscription<T>> found = new HashSet<>();
    for (int i = 0; i < response.removed().size(); i++) {
      Subscription<T> subscription = subscriptionOrNull(response.removed().get(i));
      if (subscription != null && subscription.mentionedIn == sequence) {
        found.add(subscription);
        nack.removal(i, subscription.entry.name);
      }
    }
    return found;
  }

  /**
   * @param butFor what else this response says more about
   */
  private void removed(String name, Set<Subscription<T>> butFor) {
    Subscription<T> subscription = subscriptionOrNull(name);
    if (subscription != null && !butFor.contains(subscription)) {
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
    peculiarities++;
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
