// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import com.google.protobuf.Any;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Message;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.Resource;
import java.io.IOException;
import java.util.Collection;
import java.util.TreeSet;

/** What went over the network, for the tape. */
final class Words {
  /** The first field, a string. */
  private static final int NAME = 1 << 3 | 2;

  private Words() {}

  static String of(Network.Delivery delivery) {
    Message message = delivery.message();
    String to = delivery.link() + (delivery.up() ? " up: " : " down: ");
    if (message instanceof DiscoveryResponse response) {
      return to
          + type(response.getTypeUrl())
          + response.getResourcesList().stream().map(Words::name).toList();
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
          + answer(request.getTypeUrl(), request.getResponseNonce(), request.hasErrorDetail())
          + names(" wants ", request.getResourceNamesList())
          + (request.getResponseNonce().isEmpty() && !request.getVersionInfo().isEmpty()
              ? " and has some"
              : "");
    }
    if (message instanceof DeltaDiscoveryRequest request) {
      return to
          + answer(request.getTypeUrl(), request.getResponseNonce(), request.hasErrorDetail())
          + names(" wants ", request.getResourceNamesSubscribeList())
          + names(" not ", request.getResourceNamesUnsubscribeList())
          + names(" has ", request.getInitialResourceVersionsMap().keySet());
    }
    return to + "stream";
  }

  private static String answer(String typeUrl, String nonce, boolean refusal) {
    return (nonce.isEmpty() ? "asks for " : refusal ? "refuses " : "accepts ") + type(typeUrl);
  }

  private static String names(String what, Collection<String> names) {
    return names.isEmpty() ? "" : what + new TreeSet<>(names);
  }

  /** All resources have it in their first field. */
  private static String name(Any resource) {
    try {
      CodedInputStream in = resource.getValue().newCodedInput();
      return in.readTag() == NAME ? in.readString() : "";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String type(String url) {
    return url.substring(url.lastIndexOf('.') + 1);
  }
}
