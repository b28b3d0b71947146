// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ads.stream.PendingNames.Event;
import dev.holdfast.controlplane.ads.stream.PendingNames.Mark;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Plans the next response of a type on a stream: decides about each pending name, then chooses the
 * decisions that go into one response.
 *
 * <p>Unproven content, which no proxy of the class has accepted yet, travels alone, so that the
 * answer concerns one resource. There are three exceptions. A SotW response for clusters or
 * listeners has to contain all of them; its NACK names those it blames. And so does the first
 * response to a proxy that holds none. Endpoints that a proxy lacks travel together if they are
 * many: a proxy that starts waits for those of all its clusters, and goes on without them after a
 * while. If it rejects them, each is sent alone.
 */
final class ResponsePlanner {
  /** gRPC clients accept at most 4 MiB in one message unless configured otherwise. */
  private static final int MAX_BYTES = 3 << 20;

  /** The bytes around each resource or error in a response: type, version, lengths. */
  private static final int OVERHEAD = 160;

  /**
   * How many decisions are made for one response. A client may subscribe to many names, most of
   * which do not exist.
   */
  private static final int MOST_DECISIONS = 1_000;

  /** A name in the table of hosts; with no host at all, it does not matter which. */
  private static final String NO_HOST = ResourceNames.plainHost("none").name();

  /** So many responses with a host, one after the other, are no burden for a proxy. */
  private static final int FEW_HOSTS = 8;

  /** So many responses with endpoints, one after the other, are no wait for a proxy that starts. */
  private static final int FEW = 20;

  private final AdsStream stream;
  private final TypeStream typeStream;
  private final ResourceType type;
  private final Subscription subscription;
  private final HeldResources held;
  private final PendingNames pending;
  private final TargetResources target;

  /** The clusters that the proxy runs, by the name of their endpoints; null until it is needed. */
  private @Nullable Map<String, List<String>> edsClusters;

  ResponsePlanner(AdsStream stream, TypeStream typeStream, TargetResources target) {
    this.stream = stream;
    this.typeStream = typeStream;
    this.type = typeStream.type();
    this.subscription = typeStream.subscription();
    this.held = typeStream.held();
    this.pending = typeStream.pending();
    this.target = target;
  }

  /**
   * The content of the next response; null if none is sent now.
   *
   * @param owed whether a response is sent even if it is empty
   */
  @Nullable PlannedResponse plan(boolean owed) {
    if (pending.clearAll()) {
      pending.applyAll(Event.RECHECK, target.names());
      held.running().forEach(resource -> pending.apply(Event.RECHECK, resource.name()));
      pending.applyAll(Event.RECHECK, held.unknown());
    }
    Decisions decisions = new Decisions(owed);
    decisions.addAll(pending.names());
    InFlightResponse overdue = typeStream.unanswered();
    if (overdue != null && (decisions.owed || !decisions.all.isEmpty())) {
      // The answer to the overdue response will be ignored, so its names are decided anew.
      SortedSet<String> unanswered = overdue.names();
      unanswered.removeIf(name -> pending.has(Mark.PENDING, name));
      pending.applyAll(Event.RECHECK, unanswered);
      boolean before = decisions.owed;
      decisions.addAll(unanswered);
      decisions.owed = before;
    }
    if (type == ResourceType.VIRTUAL_HOST && decisions.waits && mustBeComplete()) {
      return null;
    }
    PlannedResponse next = choose(decisions.all);
    if (type == ResourceType.VIRTUAL_HOST && next.isEmpty() && decisions.owed) {
      next.removes.add(NO_HOST); // the wait of a listener does not end with an empty response
    }
    return next.isEmpty() && !decisions.owed ? null : next;
  }

  /**
   * Whether hosts that are not in the next response would be missing: the listener goes live with
   * the first ones.
   */
  private boolean mustBeComplete() {
    return typeStream.isAwaited() && typeStream.isCold();
  }

  // Decisions about names.

  /** Collects the decisions about pending names. */
  private final class Decisions implements NameDecision.Visitor {
    final PlannedResponse all = new PlannedResponse();
    boolean owed;
    boolean waits;
    private String name = "";

    Decisions(boolean owed) {
      this.owed = owed;
    }

    void addAll(Collection<String> names) {
      for (String each : names) {
        if (!isFull(each)) {
          name = each;
          decide(each).accept(this);
        }
      }
    }

    /** Whether a name waits for a later response: those before it are enough for this one. */
    private boolean isFull(String each) {
      if (all.sends.size() + all.missing.size() < MOST_DECISIONS) {
        return false;
      }
      return !isTogether()
          || (all.missing.size() >= MOST_DECISIONS
              && stream.view().get(type, each) == null
              && !held.contains(each));
    }

    @Override
    public void nothing() {
      boolean requested = pending.apply(Event.UP_TO_DATE, name);
      owed |= requested && stream.sendsFullState(type);
    }

    @Override
    public void await() {
      waits = true;
    }

    @Override
    public void send(Resource resource) {
      all.sends.put(name, resource);
    }

    @Override
    public void remove() {
      all.removes.add(name);
    }

    @Override
    public void reportMissing(String reason) {
      all.missing.put(name, reason);
    }
  }

  private NameDecision decide(String name) {
    Resource resource = target.of(name);
    Resource running = held.running().get(name);
    if (resource == null) {
      return target.deviates(name) ? decideRejected(name) : decideAbsent(name);
    }
    if (resource.equals(running) && !pending.mustSend(name)) {
      return !target.deviates(name) && ListenerTransition.isOne(resource, stream)
          ? NameDecision.WAIT
          : NameDecision.NOTHING;
    }
    return SendOrder.maySend(resource, running, stream)
            && !SendOrder.mustReplaceSecretFirst(type, stream)
            && !SendOrder.mustWaitForHosts(resource, stream)
            && !isWaitingForVerdict(resource)
            && !(held.contains(name) && SendOrder.mustNotRiskRejection(resource, stream))
        ? new NameDecision.Send(resource)
        : NameDecision.WAIT;
  }

  /**
   * Whether a host may be of a trial that is over: the proxy has just rejected another one. If it
   * died of this one, too, nobody would know of which trial.
   */
  private boolean isWaitingForVerdict(Resource resource) {
    return type == ResourceType.VIRTUAL_HOST && stream.isUnjudged() && !stream.isProven(resource);
  }

  /** Envoy may have kept half of a rejected cluster, which would block all later ones. */
  private NameDecision decideRejected(String name) {
    if (type != ResourceType.CLUSTER || !pending.has(Mark.HALF_APPLIED, name)) {
      return decideMissing(name);
    }
    return SendOrder.mayRunUnnamed(name, stream) ? NameDecision.WAIT : NameDecision.REMOVE;
  }

  private NameDecision decideAbsent(String name) {
    Resource running = held.running().get(name);
    if (type == ResourceType.ENDPOINTS && running != null && pending.mustSend(name)) {
      // The cluster may be about to be removed, and still waits for its endpoints.
      return new NameDecision.Send(running);
    }
    if (!held.contains(name) && !pending.has(Mark.UNCERTAIN, name)) {
      return mayReportMissing(name) ? decideMissing(name) : NameDecision.WAIT;
    }
    if (type != ResourceType.LISTENER && subscription.hasName(name) && !subscription.isWildcard()) {
      return NameDecision.NOTHING; // the proxy unsubscribes when nothing refers to it any more
    }
    if (stream.rejections().refusesRemoval(new ResourceId(type, name))) {
      return NameDecision.NOTHING; // until something changes
    }
    return type != ResourceType.CLUSTER || SendOrder.mayRemoveCluster(name, stream.proxy())
        ? NameDecision.REMOVE
        : NameDecision.WAIT;
  }

  private boolean mayReportMissing(String name) {
    if (type != ResourceType.ENDPOINTS) {
      return SendOrder.mayReportMissing(type, name, stream);
    }
    if (edsClusters == null) {
      edsClusters = SendOrder.clustersByEdsName(stream);
    }
    return edsClusters.getOrDefault(name, List.of()).stream()
        .allMatch(cluster -> SendOrder.mayRemoveCluster(cluster, stream.proxy()));
  }

  private NameDecision decideMissing(String name) {
    return subscription.hasName(name)
            && !pending.has(Mark.REPORTED_MISSING, name)
            && stream.canReportMissing(type)
        ? new NameDecision.ReportMissing(missingReason(new ResourceId(type, name)))
        : NameDecision.NOTHING;
  }

  /** Why a subscribed resource does not exist, for the operator of the client. */
  private String missingReason(ResourceId id) {
    Resource newest = stream.view().get(id);
    if (newest != null) {
      RejectedVersions.Reason rejected = stream.rejections().reason(newest);
      if (rejected != null) {
        return id + " is held back: this client rejected it: " + rejected.message();
      }
    }
    if (!stream.access().allows(id.type())) {
      return stream.access().identity().isEmpty()
          ? id + " is not served without TLS (--insecure-sds at the control plane serves it)"
          : id + " is not for clients with the identity " + stream.access().identity();
    }
    String known = stream.view().absence(id);
    if (known != null) {
      return known;
    }
    return switch (id.type()) {
      case LISTENER -> id + " does not exist: no object has the host " + id.name();
      case ROUTES, VIRTUAL_HOST, CLUSTER, ENDPOINTS, SECRET, EXTENSION ->
          id + " does not exist: no object needs it";
    };
  }

  // Choice for one response.

  private PlannedResponse choose(PlannedResponse all) {
    if (all.isOneResource()) {
      return all; // it is alone anyway
    }
    if (type == ResourceType.VIRTUAL_HOST) {
      return chooseHosts(all);
    }
    boolean together = isTogether();
    PlannedResponse next = new PlannedResponse();
    next.removes.addAll(all.removes);
    next.removes.removeIf(this::isSuspect);
    long bytes = 0;
    for (Map.Entry<String, String> missing : all.missing.entrySet()) {
      bytes += OVERHEAD + maxUtf8(missing.getKey()) + maxUtf8(missing.getValue());
      if (bytes <= MAX_BYTES || next.missing.isEmpty()) {
        next.missing.put(missing.getKey(), missing.getValue());
      }
    }
    boolean firstTogether = areManyFirst(all);
    boolean lacksSome = all.sends.keySet().stream().anyMatch(name -> !held.contains(name));
    Resource alone = null;
    for (Map.Entry<String, Resource> send : all.sends.entrySet()) {
      Resource resource = send.getValue();
      boolean mayShare =
          !isSuspect(send.getKey())
              && !(lacksSome && isChange(resource) && SendOrder.mayEndWarming(resource, stream))
              && (together
                  || (firstTogether && !held.contains(send.getKey()))
                  || stream.isProven(resource));
      if (!mayShare) {
        boolean sooner =
            alone == null || (held.contains(alone.name()) && !held.contains(send.getKey()));
        alone = sooner ? resource : alone; // a resource that the proxy lacks goes before a change
      } else if (together || next.isEmpty() || bytes + size(resource) <= MAX_BYTES) {
        next.sends.put(send.getKey(), resource);
        bytes += size(resource);
      }
    }
    if (alone != null && next.sends.isEmpty() && next.removes.isEmpty()) {
      next.sends.put(alone.name(), alone);
    }
    if (next.isEmpty()) {
      next.removes.addAll(all.removes); // suspects, which nothing else may share a response with
    }
    return next;
  }

  /**
   * A response with hosts costs a proxy the same however many they are. So unproven ones travel
   * together if they are many, or the first ones of all. If the proxy rejects them, it uses none of
   * them; then they go in halves, after all others, until one is left to blame.
   */
  private PlannedResponse chooseHosts(PlannedResponse all) {
    PlannedResponse next = new PlannedResponse();
    next.removes.addAll(all.removes);
    next.removes.removeIf(this::isSuspect);
    boolean together = isTogether();
    addHosts(next, all, host -> together || stream.isProven(host));
    if (next.isEmpty()) {
      addHosts(next, all, host -> true);
      if (next.sends.size() <= FEW_HOSTS) {
        next.keepOne();
      }
    }
    if (next.isEmpty()) {
      for (Map.Entry<String, Resource> send : all.sends.entrySet()) {
        if (next.sends.size() < typeStream.mostSuspects()) {
          next.sends.put(send.getKey(), send.getValue());
        }
      }
    }
    if (next.isEmpty()) {
      next.removes.addAll(all.removes);
    }
    return next;
  }

  /** Adds hosts that are no suspects. */
  private void addHosts(PlannedResponse next, PlannedResponse all, Predicate<Resource> isIncluded) {
    long bytes = 0;
    for (Map.Entry<String, Resource> send : all.sends.entrySet()) {
      Resource host = send.getValue();
      if (!isSuspect(send.getKey()) && isIncluded.test(host)) {
        bytes += size(host);
        if (isTogether() || bytes <= MAX_BYTES || next.sends.isEmpty()) {
          next.sends.put(send.getKey(), host);
        }
      }
    }
  }

  /** Whether the proxy holds another version of a resource. */
  private boolean isChange(Resource resource) {
    return held.contains(resource.name()) && !resource.equals(held.running().get(resource.name()));
  }

  /** Whether the response contains all resources of the type. */
  private boolean isTogether() {
    return type.isWildcard() && (stream.sendsFullState(type) || typeStream.isCold());
  }

  /** Whether these are endpoints, of which the proxy has no version of many. */
  private boolean areManyFirst(PlannedResponse all) {
    return type == ResourceType.ENDPOINTS
        && all.sends.size() > FEW
        && all.sends.keySet().stream().filter(name -> !held.contains(name)).count() > FEW;
  }

  private boolean isSuspect(String name) {
    return pending.has(Mark.SUSPECT, name);
  }

  private static long size(Resource resource) {
    return OVERHEAD + resource.body().size() + maxUtf8(resource.name());
  }

  /** An upper bound of the encoded size of a text. */
  private static long maxUtf8(String text) {
    return 3L * text.length();
  }
}
