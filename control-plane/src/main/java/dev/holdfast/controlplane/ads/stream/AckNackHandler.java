// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.ads.proxy.AdsObserver;
import dev.holdfast.controlplane.ads.proxy.LocalProblems;
import dev.holdfast.controlplane.ads.proxy.NackMessage;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RejectedVersions.RefusedRemoval;
import dev.holdfast.controlplane.ads.proxy.RetrySchedule;
import dev.holdfast.controlplane.ads.proxy.TypeStats;
import dev.holdfast.controlplane.ads.view.ServedViews;
import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Handles the answers of all proxies: records what a proxy accepted or rejected, for the decisions
 * of its streams, for its class, for retries, for statistics, and for the observer. Loop only.
 */
public final class AckNackHandler {
  private final TimeSource time;
  private final AdsObserver observer;
  private final ServedViews views;
  private final RetrySchedule retries;
  private final Function<ResourceType, TypeStats> stats;
  private final UnaryOperator<String> mask;
  private final DecisionProbe probe;

  /**
   * @param mask replaces the sensitive values in a proxy's error text
   */
  public AckNackHandler(
      TimeSource time,
      AdsObserver observer,
      ServedViews views,
      RetrySchedule retries,
      Function<ResourceType, TypeStats> stats,
      UnaryOperator<String> mask,
      DecisionProbe probe) {
    this.probe = probe;
    this.time = time;
    this.observer = observer;
    this.views = views;
    this.retries = retries;
    this.stats = stats;
    this.mask = mask;
  }

  /**
   * Handles a request as an answer.
   *
   * @param error the error text of a NACK; null for an ACK
   * @return false if the request does not answer the latest response
   */
  boolean handle(Proxy proxy, TypeStream typeStream, String nonce, @Nullable String error) {
    InFlightResponse response = typeStream.unanswered();
    if (response == null || nonce.isEmpty() || !response.nonce().equals(nonce)) {
      return false;
    }
    if (error == null) {
      accepted(proxy, typeStream, response);
    } else {
      rejected(proxy, typeStream, response, read(proxy, typeStream, response, error));
    }
    return true;
  }

  /** Reads an error text. Whatever goes wrong with that, the rejection is remembered first. */
  private NackMessage read(
      Proxy proxy, TypeStream typeStream, InFlightResponse response, String error) {
    try {
      probe.at(DecisionProbe.Point.NACK);
      return NackMessage.read(error, mask);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      rejected(proxy, typeStream, response, NackMessage.unreadable());
      throw e;
    }
  }

  private void accepted(Proxy proxy, TypeStream typeStream, InFlightResponse response) {
    ProxyNode node = proxy.node();
    ResourceType type = typeStream.type();
    long took = time.nanoTime() - response.sentAt();
    ResourceTable before = typeStream.running();
    typeStream.accepted(response);
    stats.apply(type).acked(took);
    for (Resource resource : response.changed().values()) {
      retries.succeeded(node.id(), resource);
      proxy.rejections().clearLocalProblem(resource.id());
    }
    if (proxy.mayVote()) {
      views.accepted(node.proxyClass(), proxy.connection(), response.changed().values());
    }
    observer.accepted(node, type, before, typeStream.running(), took);
  }

  private void rejected(
      Proxy proxy, TypeStream typeStream, InFlightResponse response, NackMessage error) {
    ProxyNode node = proxy.node();
    ResourceType type = typeStream.type();
    long took = time.nanoTime() - response.sentAt();
    Instant now = time.now();
    ResourceTable before = typeStream.running();
    NackOutcome outcome = typeStream.rejected(response, error, now, time.nanoTime());
    List<Resource> offenders = outcome.offenders();
    stats.apply(type).nacked(node.proxyClass(), took);
    if (!before.sameAs(typeStream.running())) {
      observer.accepted(node, type, before, typeStream.running(), took);
    }
    if (SendOrder.mayBeRejectedForASecret(type, typeStream.stream())) {
      return; // they are sent once more, after the secret
    }
    List<Resource> bad = recordOffenders(proxy, response, offenders, error, now);
    typeStream.stream().noteRejected(bad);
    if (!bad.isEmpty()) {
      proxy.rejected();
    }
    if (!outcome.refusedRemovals().isEmpty()) {
      int held = typeStream.running().size();
      for (String name : outcome.refusedRemovals()) {
        proxy
            .rejections()
            .addRemoval(new ResourceId(type, name), new RefusedRemoval(error.text(), now, held));
      }
      observer.removalRefused(node, type, outcome.refusedRemovals(), error.text());
    } else if (!bad.isEmpty() || offenders.isEmpty()) {
      observer.rejected(node, type, bad, error.text());
    }
  }

  /**
   * Records each offender; returns those that are bad, as opposed to those with a local problem.
   */
  private List<Resource> recordOffenders(
      Proxy proxy,
      InFlightResponse response,
      List<Resource> offenders,
      NackMessage error,
      Instant now) {
    List<String> names = offenders.stream().map(Resource::name).toList();
    List<Resource> bad = new ArrayList<>();
    for (Resource offender : offenders) {
      // Only listeners have local problems, and there are few of them.
      NackMessage about =
          offender.id().type() == ResourceType.LISTENER
              ? error.about(offender.name(), names)
              : error;
      Resource served = ListenerTransition.served(offender, response.view());
      if (LocalProblems.matches(offender.id().type(), about)) {
        recordLocalProblem(proxy, served, about.text(), now);
      } else {
        if (!served.equals(offender) && !proxy.rejections().contains(served)) {
          proxy.rejections().add(served.id(), served.version(), error.text(), now);
          bad.add(served);
        }
        proxy.rejections().add(offender.id(), offender.version(), error.text(), now);
        bad.add(offender);
      }
    }
    return bad;
  }

  private void recordLocalProblem(Proxy proxy, Resource resource, String message, Instant now) {
    ProxyNode node = proxy.node();
    proxy.rejections().addLocalProblem(resource.id(), resource.version(), message, now);
    stats.apply(resource.id().type()).unable(node.proxyClass());
    observer.localProblem(node, resource, message, retries.failed(node.id(), resource.id()));
  }
}
