// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.ads.proxy.AdsObserver;
import dev.holdfast.controlplane.ads.proxy.LocalProblems;
import dev.holdfast.controlplane.ads.proxy.NackMessage;
import dev.holdfast.controlplane.ads.proxy.ProxyNode;
import dev.holdfast.controlplane.ads.proxy.RetrySchedule;
import dev.holdfast.controlplane.ads.proxy.TypeStats;
import dev.holdfast.controlplane.ads.view.ServedViews;
import dev.holdfast.controlplane.snapshot.Resource;
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

  /**
   * @param mask replaces the sensitive values in a proxy's error text
   */
  public AckNackHandler(
      TimeSource time,
      AdsObserver observer,
      ServedViews views,
      RetrySchedule retries,
      Function<ResourceType, TypeStats> stats,
      UnaryOperator<String> mask) {
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
      rejected(proxy, typeStream, response, NackMessage.read(error, mask));
    }
    return true;
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
    views.accepted(node.proxyClass(), response.changed().values());
    observer.accepted(node, type, before, typeStream.running(), took);
  }

  private void rejected(
      Proxy proxy, TypeStream typeStream, InFlightResponse response, NackMessage error) {
    ProxyNode node = proxy.node();
    ResourceType type = typeStream.type();
    long took = time.nanoTime() - response.sentAt();
    Instant now = time.now();
    ResourceTable before = typeStream.running();
    List<Resource> offenders = typeStream.rejected(response, error, now);
    stats.apply(type).nacked(node.proxyClass(), took);
    if (!before.sameAs(typeStream.running())) {
      observer.accepted(node, type, before, typeStream.running(), took);
    }
    List<Resource> bad = recordOffenders(proxy, offenders, error, now);
    if (!bad.isEmpty() || offenders.isEmpty()) {
      observer.rejected(node, type, bad, error.text());
    }
  }

  /**
   * Records each offender; returns those that are bad, as opposed to those with a local problem.
   */
  private List<Resource> recordOffenders(
      Proxy proxy, List<Resource> offenders, NackMessage error, Instant now) {
    List<String> names = offenders.stream().map(Resource::name).toList();
    List<Resource> bad = new ArrayList<>();
    for (Resource offender : offenders) {
      NackMessage about = error.about(offender.name(), names);
      if (LocalProblems.matches(offender.id().type(), about)) {
        recordLocalProblem(proxy, offender, about.text(), now);
      } else {
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
