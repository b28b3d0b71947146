// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.SortedSet;

/**
 * Sends endpoints again for new and changed clusters. Such a cluster waits for its endpoints even
 * if Envoy has them already, for an earlier version or for another cluster. In Delta Envoy does not
 * request them; in SotW it requests them without saying for which cluster, or together with other
 * names. So they are sent unasked.
 */
final class EndpointResends {
  private final AdsStream stream;

  /** Whether clusters changed: a SotW Envoy then requests endpoints that were sent with them. */
  private boolean expectsRepeatedRequest;

  /** Due before the reconnected proxy has named the endpoints that it holds. */
  private SortedSet<String> early = NameSets.none();

  private boolean reconnected;

  EndpointResends(AdsStream stream) {
    this.stream = stream;
  }

  /** The proxy named versions that it holds. Other proxies request endpoints after clusters. */
  void onReconnect() {
    reconnected = true;
  }

  /** A cluster goes out. */
  void onClusterSent(Resource cluster) {
    TypeStream endpoints = stream.typeStream(ResourceType.ENDPOINTS);
    if (endpoints == null && !reconnected) {
      return; // it has just started, and requests them after the clusters
    }
    String name = stream.edsNames().of(cluster);
    if (name == null) {
      return;
    }
    if (endpoints != null) {
      resend(name, endpoints);
    } else {
      early = NameSets.with(early, name);
    }
  }

  /** The proxy named the versions of a type. Clusters wait for their endpoints all the same. */
  void onResumed(TypeStream typeStream) {
    if (typeStream.type() == ResourceType.ENDPOINTS) {
      early.forEach(name -> resend(name, typeStream));
      early = NameSets.none();
    }
  }

  private void resend(String name, TypeStream endpoints) {
    endpoints.resend(name);
    expectsRepeatedRequest |=
        stream.protocol() == Protocol.SOTW && endpoints.subscription().hasName(name);
  }

  /** The proxy repeated a SotW request without a change. */
  void onRepeatedRequest(TypeStream typeStream) {
    if (typeStream.type() != ResourceType.ENDPOINTS) {
      return;
    }
    if (!expectsRepeatedRequest && typeStream.unanswered() == null) {
      typeStream.resendAll();
    }
    expectsRepeatedRequest = false;
  }
}
