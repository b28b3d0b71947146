// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;

/** What went over the network, for the tape. */
final class Words {
  private Words() {}

  static String of(Network.Delivery delivery) {
    Message message = delivery.message();
    String to = delivery.link() + (delivery.up() ? " up: " : " down: ");
    if (message instanceof DiscoveryResponse response) {
      return to + type(response.getTypeUrl()) + " x" + response.getResourcesCount();
    }
    if (message instanceof DeltaDiscoveryResponse response) {
      return to
          + type(response.getTypeUrl())
          + response.getResourcesList().stream().map(Resource::getName).toList()
          + (response.getRemovedResourcesCount() > 0
              ? " without " + response.getRemovedResourcesList()
              : "");
    }
    if (message instanceof DiscoveryRequest request) {
      return to
          + answer(request.getTypeUrl(), request.getResponseNonce(), request.hasErrorDetail());
    }
    if (message instanceof DeltaDiscoveryRequest request) {
      return to
          + answer(request.getTypeUrl(), request.getResponseNonce(), request.hasErrorDetail());
    }
    return to + "stream";
  }

  private static String answer(String typeUrl, String nonce, boolean refusal) {
    return (nonce.isEmpty() ? "asks for " : refusal ? "refuses " : "accepts ") + type(typeUrl);
  }

  private static String type(String url) {
    return url.substring(url.lastIndexOf('.') + 1);
  }
}
