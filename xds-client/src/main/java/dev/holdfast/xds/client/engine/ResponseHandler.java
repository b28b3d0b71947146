// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.client.engine;

import static java.util.Objects.requireNonNull;

import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.transport.AdsProtocol;
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
  private final TypeState<T> type;
  private final Response response;
  private final ReadBarrier barrier;
  private final CacheUpdate<T> intake;
  private final EntryReader<T> reader;

  ResponseHandler(
      Connection connection,
      EngineContext context,
      ResourceTimers timers,
      TypeState<T> type,
      Response response,
      ReadBarrier barrier) {
    this.type = type;
    this.response = response;
    this.barrier = barrier;
    intake = new CacheUpdate<>(connection, context, timers, type, response);
    reader = new EntryReader<>(intake);
  }

  void handle(Runnable beforeWatchers) {
    if (repeats()) {
      intake.answer(/* errors= */ 0);
      beforeWatchers.run();
      intake.tellWatchers(barrier);
      return;
    }
    type.repetition = null;
    for (int i = 0; i < response.packed().size(); i++) {
      reader.read(i, response.unpack(i, type.typeUrlBytes));
    }
    Set<Subscription<T>> contradicted = contradictions();
    Map<Subscription<T>, com.google.rpc.Status> errors = resourceErrors();
    contradicted.addAll(errors.keySet());
    errors.forEach(intake::noteError);
    for (String name : response.removed()) {
      Subscription<T> subscription = removable(name, contradicted);
      if (subscription != null) {
        intake.noteRemoval(subscription);
      }
    }
    intake.answer(errors.size());
    beforeWatchers.run();
    intake.tellWatchers(barrier);
    errors.forEach(intake::failed);
    intake.tellWatchers(barrier);
    if (response.protocol() == AdsProtocol.DELTA) {
      response.removed().forEach(name -> removed(name, contradicted));
    } else if (type.type.completeness() == Completeness.FULL && !intake.hasUnnamed()) {
      type.subscriptions().forEach(this::deletedIfOmitted);
      type.repetition = intake.repetition();
    }
    intake.tellWatchers(barrier);
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
    intake.confirmed(before.valid() - differences.size());
    List<Subscription<T>> owners = new ArrayList<>(differences.size());
    for (int i = 0; i < raws.size(); i++) {
      Subscription<T> owner = requireNonNull(before.owner(differences.get(i)));
      reader.known(differences.get(i), owner, requireNonNull(raws.get(i).bytes()), raws.get(i));
      owners.add(owner);
    }
    before.repeated(
        response.packed(), response.version(), intake.now, intake.sequence); // not of these, though
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
        && owner.entry.name.equals(reader.peekName(raw.bytes()));
  }

  // The server's errors (xRFC TP3).

  private Map<Subscription<T>, com.google.rpc.Status> resourceErrors() {
    Map<Subscription<T>, com.google.rpc.Status> errors = new LinkedHashMap<>();
    if (!intake.connection.rules.readResourceErrors()) {
      return errors;
    }
    for (int i = 0; i < response.errors().size(); i++) {
      ResourceErrors.Read error = ResourceErrors.read(response, i);
      if (error.name() == null) {
        intake.malformedError(i, /* named= */ false, String.valueOf(error.fault()));
        continue;
      }
      Subscription<T> subscription;
      try {
        subscription = intake.subscription(error.name());
      } catch (ResourceName.MalformedException e) {
        intake.malformedError(i, /* named= */ true, e.reason());
        continue;
      }
      if (error.fault() != null) {
        intake.malformedError(i, /* named= */ true, error.fault());
        if (subscription != null) {
          subscription.mentionedIn = intake.sequence; // not an answer, but not an absence either
        }
      } else if (subscription != null) {
        errors.put(subscription, error.detail());
      }
    }
    return errors;
  }

  // What is no more.

  /**
   * What this response both holds and removes (Delta). The resource counts, as the lesser harm, and
   * the server is told. To be called when only the resources have been looked at.
   */
  private Set<Subscription<T>> contradictions() {
    Set<Subscription<T>> found = new HashSet<>();
    for (int i = 0; i < response.removed().size(); i++) {
      Subscription<T> subscription = intake.subscriptionOrNull(response.removed().get(i));
      if (subscription != null && subscription.mentionedIn == intake.sequence) {
        found.add(subscription);
        intake.nack.removal(i, subscription.entry.name);
      }
    }
    return found;
  }

  /**
   * @param butFor what else this response says more about
   */
  private void removed(String name, Set<Subscription<T>> butFor) {
    Subscription<T> subscription = removable(name, butFor);
    if (subscription != null) {
      intake.removed(subscription);
    }
  }

  /** Null if the removal of a name means nothing, as that of one not asked for at present does. */
  private @Nullable Subscription<T> removable(String name, Set<Subscription<T>> butFor) {
    Subscription<T> subscription = intake.subscriptionOrNull(name);
    return subscription == null || !subscription.sent || butFor.contains(subscription)
        ? null
        : subscription;
  }

  /**
   * An error that the server sent stands until it sends something else; absence is not something
   * else.
   */
  private void deletedIfOmitted(Subscription<T> subscription) {
    CacheEntry<T> state = subscription.entry.state();
    if (subscription.sent
        && subscription.mentionedIn != intake.sequence
        && state.resource() != null
        && state.state() != CacheEntry.State.RECEIVED_ERROR) {
      intake.deleted(subscription.entry);
    }
  }
}
