// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One type on one stream: what was asked for, what the proxy has, and what is yet to be said.
 *
 * <p>What is to be said about a name is worked out when the type stream may speak, from what is
 * wanted then: a proxy that reads slowly gets the newest, not all that was.
 */
final class TypeStream {
  private final ResourceType type;
  private final AdsStream stream;
  private final Subscription subscription = new Subscription();
  private final HeldResources heldResources = new HeldResources();
  private final PendingNames pending = new PendingNames();
  private final TargetResources target;
  private final ReconnectState reconnect;
  private final ResponsePlanner planner;
  private @Nullable InFlightResponse inFlight;
  private boolean heard;
  private boolean spoken;
  private boolean mending;

  private String acceptedVersion = "";
  private String sentVersion = "";
  private RejectedVersions.@Nullable Rejected lastError;
  private List<String> lastErrorNames = List.of();

  TypeStream(ResourceType type, AdsStream stream) {
    this.type = type;
    this.stream = stream;
    this.target = new TargetResources(stream, type, subscription, heldResources);
    this.reconnect = new ReconnectState(stream, type, subscription, heldResources, pending);
    this.planner = new ResponsePlanner(stream, type, subscription, heldResources, pending, target);
  }

  // What was asked for.

  /** A request came. */
  void heard() {
    heard = true;
  }

  /** Whether a request came before. */
  boolean hasHeard() {
    return heard;
  }

  /** Applies a change of the subscription. */
  void subscribed(Subscription.Change change) {
    change.added().forEach(pending::force);
    change.dropped().forEach(this::forgetUnlessListed);
    if (change.all()) {
      pending.addEverything();
    }
    if (change.notAll()) {
      List<String> gone = new ArrayList<>();
      heldResources.running().forEach(resource -> gone.add(resource.name()));
      gone.forEach(this::forgetUnlessListed);
    }
  }

  private void forgetUnlessListed(String name) {
    Resource resource = stream.view().get(type, name);
    if (resource == null ? !subscription.named(name) : !subscription.covers(resource)) {
      heldResources.remove(name);
      pending.forget(name);
      target.forget(name);
      if (inFlight != null) {
        inFlight.after = inFlight.after.without(name);
      }
    }
  }

  /** The proxy came back and says that it holds everything it asked for in this version. */
  void resume(String version) {
    spoken = true;
    acceptedVersion = version;
    reconnect.with(version, canonical(target.table()));
  }

  /** The proxy came back and says what it holds, name by name. */
  void resume(Map<String, String> versions) {
    spoken = true;
    reconnect.with(versions);
    heldResources.run(canonical(heldResources.running()));
  }

  /** The proxy asks again for all that it has. */
  void askedAgain() {
    List.copyOf(subscription.names()).forEach(this::resend);
  }

  /** Sends a resource once more although nothing about it changed. */
  void resend(String name) {
    if (subscription.named(name)) {
      pending.force(name);
    }
  }

  /** What the proxy could not run may go again. */
  void retry(String name) {
    pending.changed(name);
  }

  /** A resource became different. */
  void published(ResourceId id, @Nullable Resource before, @Nullable Resource after) {
    if (subscription.named(id.name())
        || (before != null && subscription.covers(before))
        || (after != null && subscription.covers(after))) {
      pending.changed(id.name());
      if (after != null && stream.rejections().contains(after)) {
        stream.server().stats(type).countSuppressed();
      }
    }
  }

  // What to say next.

  /** Whether there may be something to say now; seldom, and quickly told. */
  boolean mayHaveNews() {
    return (inFlight == null || inFlight.silent) && (!pending.isEmpty() || owesFirst());
  }

  /** Whoever asks for all is answered even if there is nothing. */
  private boolean owesFirst() {
    return !spoken && subscription.isWildcard();
  }

  /** What the next response has to hold; null if there is to be none now. */
  @Nullable PlannedResponse draft() {
    if (!mayHaveNews()) {
      return null;
    }
    if (pending.takeEverything()) {
      pending.addAll(target.names());
      heldResources.running().forEach(resource -> pending.add(resource.name()));
      pending.addAll(heldResources.foreign());
    }
    PlannedResponse all = new PlannedResponse();
    boolean owed = owesFirst();
    owed |= decide(List.copyOf(pending.names()), all);
    if (inFlight != null && (owed || !all.isEmpty())) {
      // Nobody waits for the answer any more, nor looks at it: what it is about is said anew.
      SortedSet<String> unanswered = inFlight.names();
      unanswered.removeAll(pending.names());
      pending.addAll(unanswered);
      decide(unanswered, all);
    }
    PlannedResponse draft = ResponsePacker.next(all, stream, this);
    return draft.isEmpty() && !owed ? null : draft;
  }

  /** Works out what to say of some names; true if an answer is owed although there is nothing. */
  private boolean decide(Collection<String> names, PlannedResponse all) {
    boolean owed = false;
    for (String name : names) {
      NameDecision decision = planner.on(name);
      if (decision instanceof NameDecision.Send send) {
        all.sends.put(name, send.resource());
      } else if (decision instanceof NameDecision.Remove) {
        all.removes.add(name);
      } else if (decision instanceof NameDecision.Missing missing) {
        all.missing.put(name, missing.reason());
      } else if (decision instanceof NameDecision.Nothing) {
        owed |= pending.drop(name) && stream.sendsFullState(type);
      }
    }
    return owed;
  }

  // What was said, and what was said of it.

  /** A response is on its way. */
  void sent(PlannedResponse draft, String nonce, String version, ResourceTable after, long now) {
    spoken = true;
    sentVersion = version;
    mending = pending.isAnyTainted(draft.sends.keySet());
    draft.sends.keySet().forEach(pending::settle);
    for (String name : draft.removes) {
      if (!draft.missing.containsKey(name)) {
        pending.settle(name);
      }
    }
    draft.missing.keySet().forEach(pending::settleMissing);
    inFlight =
        new InFlightResponse(
            nonce, version, draft.sends, draft.removes, canonical(after), stream.view(), now);
  }

  /** The same table as the one that is served, if they hold the same: shared by all streams. */
  private ResourceTable canonical(ResourceTable table) {
    ResourceTable listed = stream.view().listed(type);
    return table.sameAs(listed) ? listed : table;
  }

  /** The answer has been out for so long that others no longer wait for it. */
  void fellSilent(InFlightResponse response) {
    response.silent = true;
    pending.doubt(response);
  }

  /** The proxy accepted; the result is what it ran before. */
  ResourceTable accepted(InFlightResponse response) {
    pending.trust(response);
    ResourceTable before = heldResources.running();
    inFlight = null;
    acceptedVersion = response.version;
    response.changed.values().forEach(resource -> heldResources.known(resource.name()));
    response.removed.forEach(heldResources::known);
    heldResources.run(response.after);
    if (type == ResourceType.EXTENSION) { // what they stood in for may go now
      response.changed.keySet().stream().filter(subscription::named).forEach(pending::add);
    }
    return before;
  }

  /**
   * The proxy refused; the result is the resources to blame. Of clusters and listeners, the others
   * of the response were applied; of other types that is not known, and each is tried alone.
   */
  List<Resource> rejected(InFlightResponse response, String message, Instant at) {
    inFlight = null;
    pending.trust(response);
    SortedSet<String> names = new TreeSet<>(response.changed.keySet());
    lastError = new RejectedVersions.Rejected(message, at, /* passing= */ false);
    lastErrorNames = List.copyOf(names);
    SortedSet<String> blamed =
        names.size() == 1
            ? names
            : type.isWildcard() ? NackMessage.blamed(names, message) : new TreeSet<>();
    boolean partly = !blamed.isEmpty() && type.isWildcard();
    List<Resource> culprits = new ArrayList<>();
    for (Resource resource : response.changed.values()) {
      if (blamed.contains(resource.name())) {
        culprits.add(resource);
        restore(resource.name());
      } else if (partly && !NackMessage.isCut(message)) {
        heldResources.add(resource);
      } else {
        pending.suspect(resource.name());
      }
    }
    for (String name : response.removed) {
      if (partly) {
        heldResources.remove(name);
      } else {
        pending.add(name);
      }
    }
    return culprits;
  }

  /** Some types keep what they refused, or a part of it; those get the last good one back. */
  private void restore(String name) {
    boolean kept =
        switch (type) {
          case CLUSTER, SECRET, EXTENSION -> true;
          case ENDPOINTS, LISTENER, ROUTES -> stream.sendsFullState(type);
        };
    if (kept) {
      pending.taint(name);
    } else {
      pending.add(name);
    }
  }

  // What others ask.

  /**
   * Something that is shown and the proxy refused; null if there is nothing.
   *
   * @param excused what does not count
   */
  @Nullable Resource refusal(Predicate<Resource> excused) {
    return target.refusal(excused);
  }

  /**
   * Whether the proxy's answer on a cluster is known, or there is none to wait for. One who tries
   * something out and refuses a cluster is not sent what refers to it: it will be shown something
   * else.
   */
  boolean hasJudged(String name, @Nullable Resource newest) {
    if (inFlight != null && inFlight.removed.contains(name)) {
      return newest == null; // it is about to go, and has to come again first
    }
    return newest == null
        || heldResources.contains(name)
        || (stream.rejections().contains(newest) && !stream.isOnTrial());
  }

  /** Whether something that was refused, and may have been kept all the same, is being replaced. */
  boolean isMending() {
    return (mending && inFlight != null && !inFlight.silent)
        || pending.isAnyTainted(pending.names());
  }

  /** Whether an answer has been out for so long that nobody waits for it any more. */
  boolean gaveUpWaiting() {
    return inFlight != null && inFlight.silent;
  }

  /** Whether the proxy may run something here that refers to a cluster. */
  boolean mayStillUse(String cluster) {
    if (pending.hasEverything()) {
      return !heldResources.isEmpty();
    }
    return pending.names().stream().anyMatch(name -> heldResources.refers(name, cluster))
        || target.deviating().stream().anyMatch(name -> heldResources.refers(name, cluster))
        || (inFlight != null
            && inFlight.changed.values().stream()
                .anyMatch(
                    resource ->
                        resource.clusters().containsKey(cluster)
                            || heldResources.refers(resource.name(), cluster)));
  }

  boolean isSuspect(String name) {
    return pending.isSuspect(name);
  }

  ReconnectState reconnect() {
    return reconnect;
  }

  /** Whether the proxy has something under a name. */
  boolean has(String name) {
    return heldResources.contains(name);
  }

  /** Whether nothing was ever accepted. */
  boolean isCold() {
    return heldResources.isEmpty();
  }

  /** Whether nothing is to be said, and nothing that was said waits for its answer. */
  boolean isSettled() {
    return inFlight == null && pending.isEmpty();
  }

  ResourceType type() {
    return type;
  }

  Subscription subscription() {
    return subscription;
  }

  /** What the proxy accepted. */
  ResourceTable running() {
    return heldResources.running();
  }

  /** All that the proxy may have: what it accepted, and what it has not answered on. */
  List<HeldVersion> mayHold() {
    HeldVersion now = new HeldVersion(acceptedVersion, heldResources.running(), inFlight);
    return inFlight == null
        ? List.of(now)
        : List.of(now, new HeldVersion(inFlight.version, inFlight.after, null));
  }

  @Nullable InFlightResponse inFlight() {
    return inFlight;
  }

  String acceptedVersion() {
    return acceptedVersion;
  }

  String sentVersion() {
    return sentVersion;
  }

  RejectedVersions.@Nullable Rejected lastError() {
    return lastError;
  }

  List<String> lastErrorNames() {
    return lastErrorNames;
  }
}
