// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes what a proxy says of responses to where it matters. */
final class Answers {
  private final Session session;

  Answers(Session session) {
    this.session = session;
  }

  /**
   * A reply that shows the version of the response it replies to was an acceptance, whatever error
   * it carries along: that is of an earlier response whose reply was merged into this one.
   */
  static boolean acceptedAllTheSame(Channel channel, DiscoveryRequest request) {
    Push push = channel.inFlight();
    return push != null
        && push.nonce.equals(request.getResponseNonce())
        && push.version.equals(request.getVersionInfo());
  }

  /** Takes the answer to a response; false if it is none to any that waits for one. */
  boolean take(Channel channel, String nonce, @Nullable String error) {
    channel.heard();
    Push push = channel.inFlight();
    if (push == null || nonce.isEmpty() || !push.nonce.equals(nonce)) {
      return false;
    }
    AdsServer server = session.server();
    ProxyNode node = session.node();
    ResourceType type = channel.type();
    long took = server.time().nanoTime() - push.sentAt;
    if (error == null) {
      ResourceTable before = channel.accepted(push);
      server.stats(type).acked(took);
      push.changed.values().forEach(resource -> server.succeeded(session.proxy(), resource));
      server.remember(node, push.changed.values());
      server.observer().accepted(node, type, before, channel.running(), took);
    } else {
      ResourceTable before = channel.running();
      Instant now = server.time().now();
      List<Resource> culprits = channel.rejected(push, error, now);
      server.stats(type).nacked(node.proxyClass(), took);
      if (!before.sameAs(channel.running())) {
        server.observer().accepted(node, type, before, channel.running(), took);
      }
      refused(type, culprits, error, now);
    }
    return true;
  }

  /** Some resources are to blame for a rejection, or the machine that cannot run them. */
  private void refused(ResourceType type, List<Resource> culprits, String error, Instant now) {
    List<String> names = culprits.stream().map(Resource::name).toList();
    List<Resource> bad = new ArrayList<>();
    Proxy proxy = session.proxy();
    for (Resource culprit : culprits) {
      String said = NackText.said(culprit.name(), names, error);
      if (Environment.isToBlame(type, said)) {
        session.server().unable(proxy, culprit, said, now);
      } else {
        proxy.rejections.add(culprit.id(), culprit.version(), error, now);
        bad.add(culprit);
      }
    }
    if (!bad.isEmpty() || culprits.isEmpty()) {
      session.server().observer().rejected(session.node(), type, bad, error);
    }
  }
}
