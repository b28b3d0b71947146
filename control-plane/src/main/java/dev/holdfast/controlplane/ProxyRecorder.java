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

/** Takes down what proxies say, and passes on whom it concerns. */
final class ProxyRecorder implements AdsObserver {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyRecorder.class);

  private final TimeSource time;
  private final Journal journal;
  private final EventLog events;
  private final StatusScheduler evaluation;
  private final Proxies proxies;

  /** Is told of proxies at once. */
  interface Proxies {
    /** One came; before it is shown anything. */
    void arrived(String proxyClass);

    /** One left. */
    void left();

    /** One said something. */
    void spoke();
  }

  ProxyRecorder(
      TimeSource time,
      Journal journal,
      EventLog events,
      StatusScheduler evaluation,
      Proxies proxies) {
    this.time = time;
    this.journal = journal;
    this.events = events;
    this.evaluation = evaluation;
    this.proxies = proxies;
  }

  @Override
  public void connected(ProxyNode node, String address) {
    record(
        HistoryEntry.of(time.now(), HistoryEntry.Kind.PROXY_CONNECTED)
            .withProxy(node.id())
            .withMessage(node.proxyClass() + " from " + address));
    evaluation.affectsAll();
    proxies.arrived(node.proxyClass());
    proxies.spoke();
  }

  @Override
  public void disconnected(ProxyNode node, String address, boolean lastOfNode) {
    if (lastOfNode) {
      record(
          HistoryEntry.of(time.now(), HistoryEntry.Kind.PROXY_LEFT)
              .withProxy(node.id())
              .withMessage("from " + address));
    }
    evaluation.affectsAll();
    proxies.left();
    proxies.spoke();
  }

  @Override
  public void subscribed(ProxyNode node, ResourceType type) {
    evaluation.affectsAll();
    proxies.spoke();
  }

  @Override
  public void accepted(
      ProxyNode node, ResourceType type, ResourceTable before, ResourceTable now, long tookNanos) {
    evaluation.affects(before, now);
    proxies.spoke();
  }

  @Override
  public void rejected(ProxyNode node, ResourceType type, List<Resource> culprits, String message) {
    String reason = ErrorText.sanitise(message);
    proxies.spoke();
    LOG.warn(
        "{} ({}) rejected {} {}: {}", node.id(), node.proxyClass(), type.word(), culprits, reason);
    for (Resource culprit : culprits) {
      evaluation.affects(culprit);
      journal.edit(
          state ->
              state.putRejection(
                  new Rejection(
                      node.proxyClass(),
                      node.id(),
                      type.typeUrl(),
                      culprit.name(),
                      culprit.version(),
                      reason,
                      time.now())));
    }
  }

  @Override
  public void localProblem(ProxyNode node, Resource resource, String message, Instant again) {
    LOG.warn(
        "{} ({}) cannot run {}, trying again at {}: {}",
        node.id(),
        node.proxyClass(),
        resource.id(),
        again,
        ErrorText.sanitise(message));
    evaluation.affectsAll(); // what is reached through it is not asked for
    proxies.spoke();
  }

  @Override
  public void overdue(ProxyNode node, ResourceType type) {
    proxies.spoke();
    LOG.warn("{} ({}) does not answer on {}", node.id(), node.proxyClass(), type.word());
  }

  @Override
  public void settled(ProxyNode node, ResourceType type) {
    if (type.isWildcard()) {
      evaluation.affectsAll(); // what it asks for only because of these, it will not ask for now
    }
    proxies.spoke();
  }

  private void record(HistoryEntry entry) {
    journal.edit(state -> state.append(entry));
    journal.whenDurable(() -> events.tell(entry));
  }
}
