// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.proxy.NackMessage;
import dev.holdfast.controlplane.ads.proxy.SuspectGroups;
import dev.holdfast.controlplane.ads.reconnect.HeldVersion;
import dev.holdfast.controlplane.ads.stream.PendingNames.Event;
import dev.holdfast.controlplane.ads.stream.PendingNames.Mark;
import dev.holdfast.controlplane.ads.stream.TypeStreamState.Action;
import dev.holdfast.controlplane.ads.stream.TypeStreamState.Transition;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One type on one stream: the proxy's subscription, the resources that it holds, and the names that
 * need a decision. {@link TypeStreamState} has the states and their transitions. Loop only.
 *
 * <p>The decision about a name is made when a response may be sent, from the snapshot that is
 * served then: a proxy that reads slowly gets the newest version of each resource and none in
 * between.
 */
public final class TypeStream {
  /** A response with so many resources takes a millisecond. */
  private static final int LARGE = 100;

  private final ResourceType type;
  private final AdsStream stream;
  private final Subscription subscription = new Subscription();
  private final HeldResources held = new HeldResources();
  private final PendingNames pending = new PendingNames();
  private final TargetResources target;

  private TypeStreamState state = TypeStreamState.AWAITING_REQUEST;
  private ReconnectState reconnect = ReconnectState.NEW;
  private String acceptedVersion = "";
  private String sentVersion = "";
  private @Nullable LastNack lastNack;
  private final NackBackoff backoff = new NackBackoff();

  /** Whether a listener may wait for the first response with hosts. */
  private boolean awaited = true;

  /** Whether a response is due even if it is empty, although there were others before. */
  private boolean owed;

  private final SuspectGroups suspects = new SuspectGroups();

  /** The digest of a table that the proxy refused to go back to; empty if there is none. */
  private String refusedTable = "";

  TypeStream(ResourceType type, AdsStream stream) {
    this.type = type;
    this.stream = stream;
    this.target = new TargetResources(stream, type, subscription, held);
  }

  private List<Action> advance(Transition transition) {
    state = transition.next();
    return transition.actions();
  }

  // Requests.

  /** Whether the proxy has sent no request for the type yet. */
  boolean isAwaitingRequest() {
    return state instanceof TypeStreamState.AwaitingRequest;
  }

  /** The proxy sent a request that names no versions, or one that is not the first. */
  void requested() {
    advance(state.onRequest());
  }

  /** The proxy changed its subscription. */
  void subscribed(Subscription.Change change) {
    pending.applyAll(Event.REQUEST, change.added());
    change.dropped().forEach(this::forgetUnlessCovered);
    if (change.all()) {
      pending.addAll();
    }
    if (change.notAll()) {
      List<String> names = new ArrayList<>();
      held.running().forEach(resource -> names.add(resource.name()));
      names.forEach(this::forgetUnlessCovered);
    }
  }

  private void forgetUnlessCovered(String name) {
    Resource resource = stream.view().get(type, name);
    if (resource == null ? !subscription.hasName(name) : !subscription.covers(resource)) {
      held.remove(name);
      pending.apply(Event.UNSUBSCRIBE, name);
      target.forget(name);
      InFlightResponse response = state.unanswered();
      if (response != null) {
        response.forget(name);
      }
    }
  }

  AdsStream stream() {
    return stream;
  }

  /** The proxy reconnected and holds everything that it subscribes to in one SotW version. */
  void resumed(String version) {
    if (advance(state.onResume()).contains(Action.RECOGNISE)) {
      acceptedVersion = version;
      reconnect = reconciler().recognise(version, canonical(target.table()));
    }
  }

  /** The proxy reconnected and holds these Delta versions by name. */
  void resumed(Map<String, String> versions) {
    if (advance(state.onResume()).contains(Action.RECOGNISE)) {
      reconnect = reconciler().recognise(versions);
      held.setRunning(canonical(held.running()));
      awaited = false;
    }
  }

  /**
   * The proxy has nothing of the type any more, and gets everything, although it does not ask for
   * it again.
   */
  void startOver() {
    subscription.change(List.of(Subscription.WILDCARD), List.of(), /* emptyMeansAll= */ false);
    requested();
    InFlightResponse response = state.unanswered();
    if (response != null) {
      response.lose();
    }
    held.clear();
    pending.addAll();
    owed = true;
    awaited = true;
  }

  /** Whether a listener may wait for the first response with hosts. */
  boolean isAwaited() {
    return awaited;
  }

  /** How many resources share a response if one of them was rejected, and it is not known which. */
  int mostSuspects() {
    return suspects.most();
  }

  private ReconnectReconciler reconciler() {
    return new ReconnectReconciler(stream, type, subscription, held, pending);
  }

  /** The proxy requested again everything that it holds. */
  void resendAll() {
    List.copyOf(subscription.names()).forEach(this::resend);
  }

  /** Sends a resource once more although it has not changed. */
  void resend(String name) {
    if (subscription.hasName(name)) {
      pending.apply(Event.REQUEST, name);
    }
  }

  /** A resource that the proxy could not run may be sent again. */
  public void retry(String name) {
    pending.apply(Event.CHANGE, name);
  }

  /** A resource of the served snapshot changed; returns whether the proxy rejected it before. */
  boolean changed(ResourceId id, @Nullable Resource before, @Nullable Resource after) {
    if (subscription.hasName(id.name())
        || (before != null && subscription.covers(before))
        || (after != null && subscription.covers(after))) {
      pending.apply(Event.CHANGE, id.name());
      backoff.reset();
      if (after != null) {
        stream.rejections().clearRemoval(id);
      }
      return after != null && stream.rejections().contains(after);
    }
    return false;
  }

  // Responses.

  /** Whether there may be something to send now. False most of the time, and cheap to ask. */
  boolean mayHaveResponse() {
    return state.maySend()
        && !backoff.isWaiting()
        && (!pending.isEmpty() || owesFirstResponse())
        && (type != ResourceType.VIRTUAL_HOST || stream.takesHosts());
  }

  /** Whether what there may be to send now takes so long that others would notice. */
  boolean mayHaveLargeResponse() {
    int names = pending.hasAll() ? stream.view().listed(type).size() : pending.count();
    return names >= LARGE && mayHaveResponse();
  }

  /** Whether a wildcard subscription has not been answered: it is, even with an empty response. */
  private boolean owesFirstResponse() {
    return owed || (state instanceof TypeStreamState.FirstResponseDue && subscription.isWildcard());
  }

  /** The content of the next response; null if none is sent now. */
  @Nullable PlannedResponse plan() {
    while (mayHaveResponse()) {
      PlannedResponse next = new ResponsePlanner(stream, this, target).plan(owesFirstResponse());
      if (next == null || !isRefused(next)) {
        return next;
      }
      // The proxy keeps what it has; the next plan is without these removals.
      pending.applyAll(Event.SEND, next.removes);
    }
    return null;
  }

  /** Whether a response would contain the same bytes as one that the proxy rejected. */
  private boolean isRefused(PlannedResponse next) {
    if (refusedTable.isEmpty() || !next.isRemovalsOnly() || !stream.sendsFullState(type)) {
      return false;
    }
    ResourceTable after = held.running();
    for (String name : next.removes) {
      after = after.without(name);
    }
    return after.version().equals(refusedTable);
  }

  /** A response goes out. */
  void sent(PlannedResponse content, String nonce, String version, ResourceTable after, long now) {
    boolean replacesRejected =
        content.sends.keySet().stream().anyMatch(name -> pending.has(Mark.HALF_APPLIED, name));
    SortedSet<String> removalsOfHeld = new TreeSet<>(content.removes);
    removalsOfHeld.removeIf(name -> !held.contains(name));
    InFlightResponse response =
        new InFlightResponse(
            nonce,
            version,
            content,
            canonical(after),
            stream.view(),
            removalsOfHeld,
            replacesRejected,
            now);
    if (advance(state.onSend(response)).contains(Action.MARK)) {
      sentVersion = version;
      owed = false;
      pending.applyAll(Event.SEND, content.sends.keySet());
      for (String name : content.removes) {
        if (!content.missing.containsKey(name)) {
          pending.apply(Event.SEND, name);
        }
      }
      pending.applyAll(Event.REPORT, content.missing.keySet());
    }
  }

  /** The served table if it is equal to the given one, so that all streams share one table. */
  private ResourceTable canonical(ResourceTable table) {
    ResourceTable listed = stream.view().listed(type);
    return table.sameAs(listed) ? listed : table;
  }

  /**
   * Checks whether the response in flight has become overdue.
   *
   * @return whether it has just become overdue
   */
  boolean checkTimeout(long now) {
    InFlightResponse response = state.unanswered();
    if (response == null || now - response.sentAt() < InFlightResponse.timeout(type).toNanos()) {
      return false;
    }
    if (!advance(state.onTimeout()).contains(Action.DOUBT)) {
      return false;
    }
    pending.applyAll(Event.TIMEOUT, response.names());
    awaited = false;
    return true;
  }

  // Answers.

  /** The proxy accepted the unanswered response. */
  void accepted(InFlightResponse response) {
    List<Action> actions = advance(state.onAck());
    if (actions.contains(Action.TRUST)) {
      pending.applyAll(Event.LATE_ANSWER, response.names());
    }
    if (actions.contains(Action.APPLY)) {
      backoff.reset();
      awaited &= response.isLost();
      if (type == ResourceType.VIRTUAL_HOST) {
        suspects.accepted(pending.anyPending(name -> pending.has(Mark.SUSPECT, name)));
      }
      refusedTable = "";
      acceptedVersion = response.version();
      response.changed().values().forEach(resource -> held.removeUnknown(resource.name()));
      response.removed().forEach(held::removeUnknown);
      held.setRunning(response.after());
      pending.applyAll(
          Event.RECHECK, stream.rejections().removalsWorthATry(type, held.running().size()));
      for (Resource resource : response.changed().values()) {
        if (isStep(resource)) {
          pending.apply(Event.RECHECK, resource.name());
        }
      }
      if (type == ResourceType.ROUTES
          && response.changed().containsKey(ResourceNames.PLAIN_HOSTS.name())) {
        stream.acceptedTableOfHosts();
      }
    }
  }

  /** Whether another version may follow the accepted one: it may be a placeholder for it. */
  private boolean isStep(Resource accepted) {
    return type == ResourceType.EXTENSION
        ? subscription.hasName(accepted.name())
        : ListenerTransition.isOne(accepted, stream);
  }

  /** The proxy rejected the unanswered response. */
  NackOutcome rejected(InFlightResponse response, NackMessage message, Instant at, long now) {
    List<Action> actions = advance(state.onNack());
    if (actions.contains(Action.TRUST)) {
      pending.applyAll(Event.LATE_ANSWER, response.names());
    }
    if (!actions.contains(Action.ATTRIBUTE)) {
      return NackOutcome.NOTHING;
    }
    awaited &= response.isLost();
    lastNack = LastNack.of(message.text(), at, response.names());
    NackAttribution attribution =
        NackAttribution.of(
            type, response.changed().values(), !response.removalsOfHeld().isEmpty(), message);
    for (Resource offender : attribution.offenders()) {
      pending.apply(mayBeHalfApplied() ? Event.BLAME : Event.RECHECK, offender.name());
    }
    attribution.applied().forEach(held::add);
    attribution.suspects().forEach(suspect -> pending.apply(Event.SUSPECT, suspect.name()));
    boolean isSearch = type == ResourceType.VIRTUAL_HOST && !attribution.suspects().isEmpty();
    if (type == ResourceType.VIRTUAL_HOST) {
      suspects.rejected(attribution.suspects().size());
    }
    if (!isSearch) {
      backoff.onNack(now); // a search ends by itself
    }
    return new NackOutcome(attribution.offenders(), removalsRejected(response, attribution));
  }

  /** What a NACK means for the removals in a response; returns those that the proxy refuses. */
  private SortedSet<String> removalsRejected(
      InFlightResponse response, NackAttribution attribution) {
    if (attribution.removalsApplied()) {
      response.removed().forEach(held::remove);
    } else if (response.changed().isEmpty()) {
      refusedTable = response.after().version();
      pending.applyAll(Event.RECHECK, response.removed());
      return response.removalsOfHeld();
    } else {
      boolean unclear = attribution.offenders().isEmpty();
      pending.applyAll(unclear ? Event.SUSPECT : Event.RECHECK, response.removed());
    }
    return NameSets.none();
  }

  /** Envoy keeps a rejected resource of some types, or a part of it. */
  private boolean mayBeHalfApplied() {
    return switch (type) {
      case CLUSTER, SECRET, EXTENSION -> true;
      case ENDPOINTS, LISTENER, ROUTES, VIRTUAL_HOST -> stream.sendsFullState(type);
    };
  }

  // Queries.

  /**
   * A resource of the served snapshot that the proxy rejected; null if there is none.
   *
   * @param excused resources that do not count
   */
  public @Nullable Resource rejectedResource(Predicate<Resource> excused) {
    return target.rejectedResource(excused);
  }

  /** Whether the proxy runs a version of a resource, or was sent it last and has not answered. */
  public boolean mayRun(Resource resource) {
    InFlightResponse response = state.unanswered();
    Resource sent = response == null ? null : response.changed().get(resource.name());
    return resource.equals(sent == null ? held.running().get(resource.name()) : sent);
  }

  /** Whether the proxy holds a version of a resource that this server does not know. */
  public boolean holdsUnknown(String name) {
    return held.isUnknown(name);
  }

  /**
   * The version of a resource that the proxy runs; null if it is a placeholder, or there is none.
   */
  public @Nullable Resource runningVersion(String name) {
    Resource running = held.running().get(name);
    return running == null || PlaceholderResources.isPlaceholder(running) ? null : running;
  }

  /**
   * Whether the proxy has answered on a cluster, or there is no answer to wait for. A canary that
   * rejects a cluster is not sent the routes that use it: it will be served another trial. So may a
   * proxy that has just rejected it.
   *
   * @param newest the cluster in the served snapshot
   */
  boolean hasAnswered(String name, @Nullable Resource newest) {
    InFlightResponse response = state.unanswered();
    if (response != null && response.removed().contains(name)) {
      return newest == null; // it is being removed, and has to be added again first
    }
    if (newest != null && stream.rejections().contains(newest)) {
      return !stream.isOnTrial() && !stream.isUnjudged();
    }
    return newest == null || held.contains(name);
  }

  /** Whether a rejected resource that the proxy may have kept is about to be replaced. */
  boolean isReplacingRejected() {
    return (state instanceof TypeStreamState.InFlight inFlight
            && inFlight.unanswered().replacesRejected())
        || pending.anyPending(name -> pending.has(Mark.HALF_APPLIED, name));
  }

  /**
   * Whether a rejected resource that the proxy may have kept is being replaced, or there is another
   * version of it, which the proxy has not rejected.
   */
  boolean hasReplacement() {
    return (state instanceof TypeStreamState.InFlight inFlight
            && inFlight.unanswered().replacesRejected())
        || pending.anyPending(
            name -> {
              Resource newest = stream.view().get(type, name);
              return newest != null
                  && pending.has(Mark.HALF_APPLIED, name)
                  && !stream.rejections().contains(newest);
            });
  }

  /** Whether the proxy rejected too many responses in a row to get the next one now. */
  boolean isBackingOff() {
    return backoff.isWaiting();
  }

  /** Checks whether the next response may be sent; returns whether that has just become so. */
  boolean checkBackoff(long now) {
    return backoff.endIfOver(now) && mayHaveResponse();
  }

  /** Whether a response is in flight that other resources wait for. */
  boolean isInFlight() {
    return state instanceof TypeStreamState.InFlight;
  }

  /** Whether the proxy has not answered in time, so that nothing waits for the answer any more. */
  boolean isOverdue() {
    return state instanceof TypeStreamState.Overdue;
  }

  /** Whether the proxy may run a resource of this type that refers to a cluster. */
  boolean mayReferTo(String cluster) {
    if (pending.hasAll()) {
      return !held.isEmpty();
    }
    InFlightResponse response = state.unanswered();
    return pending.anyPending(name -> held.mayReferTo(name, cluster))
        || target.deviating().stream().anyMatch(name -> held.mayReferTo(name, cluster))
        || (response != null
            && response.changed().values().stream()
                .anyMatch(
                    resource ->
                        resource.clusters().containsKey(cluster)
                            || held.mayReferTo(resource.name(), cluster)));
  }

  /** Whether anything that the proxy runs of this type refers to a cluster, as far as is known. */
  boolean mayRunReferenceTo(String cluster) {
    boolean[] any = {!held.unknown().isEmpty()};
    held.running().forEach(resource -> any[0] |= resource.clusters().containsKey(cluster));
    return any[0];
  }

  /** Whether the proxy runs a filter of this name that is more than a placeholder for it. */
  boolean runsFilter(String name) {
    Resource running = held.running().get(name);
    return running == null ? held.isUnknown(name) : !PlaceholderResources.isIdleFilter(running);
  }

  /** Whether the proxy may run a resource of this type that enables a filter. */
  boolean mayEnableFilter(String filter) {
    boolean[] any = {!held.unknown().isEmpty()};
    held.running()
        .forEach(
            resource -> {
              Resource newest = stream.view().get(resource.id());
              // Equal bytes enable the filter under each of its types, see FilterUse.
              Resource known = newest != null && newest.equals(resource) ? newest : resource;
              any[0] |= known.filters().containsKey(filter);
            });
    InFlightResponse response = state.unanswered();
    return any[0]
        || (response != null
            && response.changed().values().stream()
                .anyMatch(resource -> resource.filters().containsKey(filter)));
  }

  /** The proxy is no canary any more, or is another process: what it rejected is decided anew. */
  public void recheckRejected() {
    pending.applyAll(Event.RECHECK, List.copyOf(target.deviating()));
  }

  ReconnectState reconnectState() {
    return reconnect;
  }

  /** Whether the proxy holds a resource under this name. */
  boolean holds(String name) {
    return held.contains(name);
  }

  /** Whether the proxy holds nothing of the type. */
  public boolean isCold() {
    return held.isEmpty();
  }

  /** Whether nothing is in flight and no name needs a decision. */
  public boolean isSettled() {
    return state.unanswered() == null && pending.isEmpty();
  }

  public ResourceType type() {
    return type;
  }

  public Subscription subscription() {
    return subscription;
  }

  /** The resources that the proxy accepted. */
  public ResourceTable running() {
    return held.running();
  }

  HeldResources held() {
    return held;
  }

  PendingNames pending() {
    return pending;
  }

  /** All that the proxy may hold: what it accepted, and what it has not answered. */
  List<HeldVersion> heldVersions() {
    InFlightResponse response = state.unanswered();
    if (response == null) {
      return List.of(HeldVersion.certain(acceptedVersion, held.running()));
    }
    return List.of(
        new HeldVersion(acceptedVersion, held.running(), response.names(), response.after()),
        HeldVersion.certain(response.version(), response.after()));
  }

  /** The latest response if the proxy has not answered it; null if it has. */
  public @Nullable InFlightResponse unanswered() {
    return state.unanswered();
  }

  public String acceptedVersion() {
    return acceptedVersion;
  }

  public String sentVersion() {
    return sentVersion;
  }

  public @Nullable LastNack lastNack() {
    return lastNack;
  }
}
