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
final class AckNackRecorder {
  private final AdsStream stream;

  AckNackRecorder(AdsStream stream) {
    this.stream = stream;
  }

  /**
   * A reply that shows the version of the response it replies to was an acceptance, whatever error
   * it carries along: that is of an earlier response whose reply was merged into this one.
   */
  static boolean acceptedAllTheSame(TypeStream typeStream, DiscoveryRequest request) {
    InFlightResponse response = typeStream.inFlight();
    return response != null
        && response.nonce.equals(request.getResponseNonce())
        && response.version.equals(request.getVersionInfo());
  }

  /** Takes the answer to a response; false if it is none to any that waits for one. */
  boolean take(TypeStream typeStream, String nonce, @Nullable String error) {
    typeStream.heard();
    InFlightResponse response = typeStream.inFlight();
    if (response == null || nonce.isEmpty() || !response.nonce.equals(nonce)) {
      return false;
    }
    AdsServer server = stream.server();
    ProxyNode node = stream.node();
    ResourceType type = typeStream.type();
    long took = server.time().nanoTime() - response.sentAt;
    if (error == null) {
      ResourceTable before = typeStream.accepted(response);
      server.stats(type).acked(took);
      response.changed.values().forEach(resource -> server.succeeded(stream.proxy(), resource));
      server.remember(node, response.changed.values());
      server.observer().accepted(node, type, before, typeStream.running(), took);
    } else {
      ResourceTable before = typeStream.running();
      Instant now = server.time().now();
      List<Resource> culprits = typeStream.rejected(response, error, now);
      server.stats(type).nacked(node.proxyClass(), took);
      if (!before.sameAs(typeStream.running())) {
        server.observer().accepted(node, type, before, typeStream.running(), took);
      }
      refused(type, culprits, error, now);
    }
    return true;
  }

  /** Some resources are to blame for a rejection, or the machine that cannot run them. */
  private void refused(ResourceType type, List<Resource> culprits, String error, Instant now) {
    List<String> names = culprits.stream().map(Resource::name).toList();
    List<Resource> bad = new ArrayList<>();
    Proxy proxy = stream.proxy();
    for (Resource culprit : culprits) {
      String said = NackMessage.said(culprit.name(), names, error);
      if (LocalProblems.isToBlame(type, said)) {
        stream.server().unable(proxy, culprit, said, now);
      } else {
        proxy.rejections.add(culprit.id(), culprit.version(), error, now);
        bad.add(culprit);
      }
    }
    if (!bad.isEmpty() || culprits.isEmpty()) {
      stream.server().observer().rejected(stream.node(), type, bad, error);
    }
  }
}
