// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import dev.holdfast.base.TimeSource;
import dev.holdfast.config.HistoryEntry;
import dev.holdfast.config.Rejection;
import dev.holdfast.controlplane.ads.proxy.AdsObserver;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ledger.EventLog;
import dev.holdfast.controlplane.ledger.Journal;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.status.ErrorText;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records what happens on xDS streams: history and rejections go to the journal, affected objects
 * to the status scheduler, and every event to a listener.
 */
final class ProxyRecorder implements AdsObserver {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyRecorder.class);

  private final TimeSource time;
  private final Journal journal;
  private final EventLog events;
  private final StatusScheduler statusScheduler;
  private final ProxyListener listener;

  /** Is called in the same turn in which a proxy connects, disconnects or sends a request. */
  interface ProxyListener {
    /** A proxy of this class connected and has not been sent anything yet. */
    void proxyConnected(String proxyClass);

    /** A proxy disconnected. */
    void proxyDisconnected(String node, String proxyClass);

    /** A proxy sent a request, connected, disconnected or missed a deadline. */
    void proxyActivity();
  }

  ProxyRecorder(
      TimeSource time,
      Journal journal,
      EventLog events,
      StatusScheduler statusScheduler,
      ProxyListener listener) {
    this.time = time;
    this.journal = journal;
    this.events = events;
    this.statusScheduler = statusScheduler;
    this.listener = listener;
  }

  @Override
  public void connected(ProxyNode node, String address) {
    record(
        HistoryEntry.of(time.now(), HistoryEntry.Kind.PROXY_CONNECTED)
            .withProxy(node.id())
            .withMessage(node.proxyClass() + " from " + address));
    statusScheduler.scheduleAll();
    listener.proxyConnected(node.proxyClass());
    listener.proxyActivity();
  }

  @Override
  public void disconnected(ProxyNode node, String address, boolean lastOfNode) {
    if (lastOfNode) {
      record(
          HistoryEntry.of(time.now(), HistoryEntry.Kind.PROXY_DISCONNECTED)
              .withProxy(node.id())
              .withMessage("from " + address));
    }
    statusScheduler.scheduleAll();
    if (lastOfNode) {
      listener.proxyDisconnected(node.id(), node.proxyClass());
    }
    listener.proxyActivity();
  }

  @Override
  public void subscribed(ProxyNode node, ResourceType type) {
    statusScheduler.scheduleAll();
    listener.proxyActivity();
  }

  @Override
  public void accepted(
      ProxyNode node, ResourceType type, ResourceTable before, ResourceTable now, long tookNanos) {
    statusScheduler.scheduleChanged(before, now);
    listener.proxyActivity();
  }

  @Override
  public void rejected(
      ProxyNode node, ResourceType type, List<Resource> resources, String message) {
    String reason = ErrorText.sanitise(message);
    listener.proxyActivity();
    LOG.warn(
        "{} ({}) rejected {} {}: {}", node.id(), node.proxyClass(), type.word(), resources, reason);
    for (Resource resource : resources) {
      statusScheduler.scheduleContributors(resource);
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
  public void localProblem(ProxyNode node, Resource resource, String message, Instant retryAt) {
    LOG.warn(
        "{} ({}) cannot apply {}, retrying at {}: {}",
        node.id(),
        node.proxyClass(),
        resource.id(),
        retryAt,
        ErrorText.sanitise(message));
    statusScheduler.scheduleAll(); // it will not subscribe to what this resource refers to
    listener.proxyActivity();
  }

  @Override
  public void overdue(ProxyNode node, ResourceType type) {
    listener.proxyActivity();
    LOG.warn("{} ({}) does not answer on {}", node.id(), node.proxyClass(), type.word());
  }

  @Override
  public void settled(ProxyNode node, ResourceType type) {
    if (type.isWildcard()) {
      // No further subscriptions will follow from the clusters and listeners of this proxy.
      statusScheduler.scheduleAll();
    }
    listener.proxyActivity();
  }

  private void record(HistoryEntry entry) {
    journal.edit(state -> state.append(entry));
    journal.whenDurable(() -> events.publish(entry));
  }
}
