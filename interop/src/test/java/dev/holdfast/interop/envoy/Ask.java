// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import com.google.rpc.Status;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a client asked, in either variant of the protocol.
 *
 * @param type the type URL
 * @param names what it wants: all of it in SotW, what is new in Delta
 * @param unsubscribed what it no longer wants; Delta only
 * @param nonce the response that this answers; empty for none
 * @param error why it rejects that response
 * @param version the last accepted version; SotW only
 * @param versions what it still has from an earlier stream; Delta only
 * @param node who it is; empty if it does not say
 */
record Ask(
    String type,
    List<String> names,
    List<String> unsubscribed,
    String nonce,
    @Nullable Status error,
    String version,
    Map<String, String> versions,
    String node) {

  static Ask of(DiscoveryRequest request) {
    return new Ask(
        request.getTypeUrl(),
        List.copyOf(request.getResourceNamesList()),
        List.of(),
        request.getResponseNonce(),
        request.hasErrorDetail() ? request.getErrorDetail() : null,
        request.getVersionInfo(),
        Map.of(),
        request.getNode().getId());
  }

  static Ask of(DeltaDiscoveryRequest request) {
    return new Ask(
        request.getTypeUrl(),
        List.copyOf(request.getResourceNamesSubscribeList()),
        List.copyOf(request.getResourceNamesUnsubscribeList()),
        request.getResponseNonce(),
        request.hasErrorDetail() ? request.getErrorDetail() : null,
        "",
        new TreeMap<>(request.getInitialResourceVersionsMap()),
        request.getNode().getId());
  }

  boolean isNack() {
    return error != null;
  }

  /** Why; empty for an ACK. */
  String reason() {
    return error == null ? "" : error.getMessage();
  }

  /** The type's own name, for short error texts: {@code Cluster}. */
  String shortType() {
    return type.substring(type.lastIndexOf('.') + 1);
  }
}
