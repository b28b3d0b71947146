// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.Rejection;
import dev.holdfast.controlplane.ads.proxy.AdsObserver;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions;
import dev.holdfast.controlplane.ledger.EventLog;
import dev.holdfast.controlplane.ledger.InternalErrors;
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.controlplane.log.LimitedLog;
import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.log.LogLine;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.status.ErrorText;
import dev.holdfast.controlplane.trace.ChangeTraces;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Records what happens on xDS streams: history and rejections go to the journal, affected objects
 * to the status scheduler, and every event to a listener.
 */
final class ProxyRecorder implements AdsObserver {
  /** How many names a log line has. */
  private static final int MOST_NAMES = 10;

  private final TimeSource time;
  private final Journal journal;
  private final EventLog events;
  private final StatusScheduler statusScheduler;
  private final LimitedLog log;
  private final InternalErrors errors;
  private final ChangeTraces traces;
  private final ProxyListener listener;

  /** The connected proxies that rollouts do not know. */
  private final Set<String> withoutVote = new HashSet<>();

  /** Those of them that are scouts. */
  private final Set<String> scouts = new HashSet<>();

  /** Is called in the same turn in which a proxy connects, disconnects or sends a request. */
  interface ProxyListener {
    /** A proxy of this class connected and has not been sent anything yet. */
    void proxyConnected(String proxyClass);

    /** A client that is no Envoy connected. */
    void clientConnected(String node);

    /** A proxy that has connected holds nothing. */
    void proxyStartedAnew(String node);

    /** A proxy disconnected. */
    void proxyDisconnected(String node, String proxyClass);

    /** Whether a connected proxy is a scout. */
    boolean isScout(String node);

    /** A scout that has connected holds nothing. */
    void scoutStartedAnew(String node);

    /** A scout disconnected. */
    void scoutDisconnected(String node, String proxyClass);

    /** Whether other processes use the node id of a proxy, or did so lately. */
    boolean sharesNodeId(String node);

    /** Whether the proxies of a class count in the status of objects. */
    boolean counts(String proxyClass);

    /** Whether a proxy has a vote. */
    boolean mayVote(String node);

    /** A proxy sent a request, connected, disconnected or missed a deadline. */
    void proxyActivity();
  }

  ProxyRecorder(
      TimeSource time,
      Journal journal,
      EventLog events,
      StatusScheduler statusScheduler,
      LimitedLog log,
      InternalErrors errors,
      ChangeTraces traces,
      ProxyListener listener) {
    this.time = time;
    this.journal = journal;
    this.events = events;
    this.statusScheduler = statusScheduler;
    this.log = log;
    this.errors = errors;
    this.traces = traces;
    this.listener = listener;
  }

  @Override
  public void connected(ProxyNode node, String address) {
    record(
        HistoryEntry.of(time.now(), HistoryEntry.Kind.PROXY_CONNECTED)
            .withProxy(node.id())
            .withMessage(node.proxyClass() + " from " + address));
    log.log(
        node.id(),
        () ->
            about(LogArea.PROXIES.info("connected"), node)
                .with(LogLine.ADDRESS, address)
                .text(who(node) + " connected from " + address));
    if (listener.mayVote(node.id())) {
      if (!node.isEnvoy()) {
        listener.clientConnected(node.id());
      }
      listener.proxyConnected(node.proxyClass());
    } else {
      withoutVote.add(node.id());
      if (listener.isScout(node.id())) {
        scouts.add(node.id());
      }
    }
    scheduleAllIfCounted(node);
    listener.proxyActivity();
  }

  @Override
  public void nodeIdShared(ProxyNode node, ProxyNode eldest, String address) {
    log.log(
        eldest.id(),
        () ->
            about(LogArea.PROXIES.warn("node-id-shared"), node)
                .with(LogLine.ADDRESS, address)
                .text(
                    "the node id of "
                        + who(eldest)
                        + " is used by another process at "
                        + address
                        + ", which is called "
                        + LimitedLog.name(node.id())
                        + "; give each proxy a node id of its own"));
  }

  @Override
  public void notAllowed(String node, String address, String why) {
    log.log(
        address.replaceAll(":[0-9]+$", ""),
        () ->
            LogArea.PROXIES
                .warn("refused")
                .with(LogLine.NODE, LimitedLog.name(node))
                .with(LogLine.ADDRESS, address)
                .text("refused a client at " + address + ": " + LimitedLog.name(why)));
  }

  @Override
  public void startedAnew(ProxyNode node) {
    if (!withoutVote.contains(node.id())) {
      listener.proxyStartedAnew(node.id());
    } else if (scouts.contains(node.id())) {
      listener.scoutStartedAnew(node.id());
    }
  }

  @Override
  public void indistinct(ProxyNode node, Collection<RejectedVersions.Key> versions) {
    removeStored(node, versions);
  }

  @Override
  public void forgotten(ProxyNode node, Collection<RejectedVersions.Key> versions) {
    removeStored(node, versions);
    statusScheduler.scheduleAll();
  }

  private void removeStored(ProxyNode node, Collection<RejectedVersions.Key> versions) {
    for (RejectedVersions.Key version : versions) {
      Rejection.Key key =
          new Rejection.Key(
              node.proxyClass(),
              node.id(),
              version.id().type().typeUrl(),
              version.id().name(),
              version.version());
      journal.edit(state -> state.removeRejection(key));
    }
  }

  @Override
  public void disconnected(ProxyNode node, String address, boolean lastOfNode) {
    if (lastOfNode) {
      record(
          HistoryEntry.of(time.now(), HistoryEntry.Kind.PROXY_DISCONNECTED)
              .withProxy(node.id())
              .withMessage("from " + address));
      log.log(
          node.id(),
          () ->
              about(LogArea.PROXIES.info("disconnected"), node)
                  .with(LogLine.ADDRESS, address)
                  .text(who(node) + " disconnected from " + address));
    }
    scheduleAllIfCounted(node);
    if (lastOfNode && !withoutVote.remove(node.id())) {
      listener.proxyDisconnected(node.id(), node.proxyClass());
    }
    if (lastOfNode && scouts.remove(node.id())) {
      listener.scoutDisconnected(node.id(), node.proxyClass());
    }
    listener.proxyActivity();
  }

  @Override
  public void subscribed(ProxyNode node, ResourceType type) {
    scheduleAllIfCounted(node);
    listener.proxyActivity();
  }

  @Override
  public void accepted(
      ProxyNode node, ResourceType type, ResourceTable before, ResourceTable now, long tookNanos) {
    statusScheduler.scheduleChanged(before, now);
    traces.accepted(node.id(), node.proxyClass(), type, before, now, Duration.ofNanos(tookNanos));
    listener.proxyActivity();
  }

  @Override
  public void rejected(
      ProxyNode node, ResourceType type, List<Resource> resources, String message) {
    listener.proxyActivity();
    log.log(
        node.id(),
        () ->
            about(LogArea.PROXIES.warn("rejected"), node)
                .with("type", type.word())
                .with(LogLine.RESOURCE, names(resources))
                .text(
                    who(node)
                        + " rejected "
                        + type.word()
                        + " "
                        + names(resources)
                        + ": "
                        + ErrorText.sanitise(message)));
    if (resources.isEmpty()) {
      return;
    }
    String reason = ErrorText.sanitise(message);
    traces.rejected(node.id(), node.proxyClass(), type, resources, reason);
    boolean isDistinct = !listener.sharesNodeId(node.id());
    for (Resource resource : resources) {
      statusScheduler.scheduleContributors(resource);
      if (!isDistinct) {
        continue;
      }
      journal.edit(
          state ->
              state.putRejection(
                  new Rejection(
                      node.proxyClass(),
                      node.id(),
                      type.typeUrl(),
                      resource.name(),
                      resource.version(),
                      reason,
                      time.now())));
    }
  }

  @Override
  public void removalRefused(
      ProxyNode node, ResourceType type, Collection<String> names, String message) {
    listener.proxyActivity();
    log.log(
        node.id(),
        () ->
            about(LogArea.PROXIES.warn("removal-refused"), node)
                .with("type", type.word())
                .with(LogLine.RESOURCE, first(names))
                .text(
                    who(node)
                        + " keeps "
                        + type.word()
                        + " "
                        + first(names)
                        + ", whose removal it refuses: "
                        + ErrorText.sanitise(message)));
  }

  @Override
  public void internalError(String what, Throwable error) {
    errors.add(what, error);
  }

  @Override
  public void localProblem(ProxyNode node, Resource resource, String message, Instant retryAt) {
    log.log(
        node.id(),
        () ->
            about(LogArea.PROXIES.warn("cannot-apply"), node)
                .with(LogLine.RESOURCE, resource.id().toString())
                .text(
                    who(node)
                        + " cannot apply "
                        + resource.id()
                        + ", retrying at "
                        + retryAt
                        + ": "
                        + ErrorText.sanitise(message)));
    statusScheduler.scheduleAll(); // it will not subscribe to what this resource refers to
    listener.proxyActivity();
  }

  @Override
  public void overdue(ProxyNode node, ResourceType type) {
    listener.proxyActivity();
    log.log(
        node.id(),
        () ->
            about(LogArea.PROXIES.warn("silent"), node)
                .with("type", type.word())
                .text(who(node) + " does not answer on " + type.word()));
  }

  @Override
  public void settled(ProxyNode node, ResourceType type) {
    if (type.isWildcard()) {
      // No further subscriptions will follow from the clusters and listeners of this proxy.
      scheduleAllIfCounted(node);
    }
    listener.proxyActivity();
  }

  /** What proxies do whose class does not count changes no status. */
  private void scheduleAllIfCounted(ProxyNode node) {
    if (listener.mayVote(node.id()) && listener.counts(node.proxyClass())) {
      statusScheduler.scheduleAll();
    }
  }

  private static LogLine about(LogLine line, ProxyNode node) {
    return line.node(LimitedLog.name(node.id()), LimitedLog.name(node.proxyClass()));
  }

  private static String who(ProxyNode node) {
    return LimitedLog.name(node.id()) + " (" + LimitedLog.name(node.proxyClass()) + ")";
  }

  private static String names(List<Resource> resources) {
    return first(resources.stream().map(Resource::name).toList());
  }

  private static String first(Collection<String> names) {
    List<String> first = names.stream().limit(MOST_NAMES).toList();
    return names.size() == first.size()
        ? first.toString()
        : first + " and " + (names.size() - first.size()) + " more";
  }

  private void record(HistoryEntry entry) {
    journal.edit(state -> state.append(entry));
    journal.whenDurable(() -> events.publish(entry));
  }
}
