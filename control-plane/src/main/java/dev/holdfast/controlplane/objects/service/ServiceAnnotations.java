// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.service;

import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.read.Annotations;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The settings in the annotations of a service; null where they are not set.
 *
 * @param protocols by name or number of the port
 */
public record ServiceAnnotations(
    @Nullable Long maxConnections,
    @Nullable Long maxPendingRequests,
    @Nullable Long maxRequests,
    @Nullable Long maxRetries,
    @Nullable Long perHostMaxConnections,
    SortedMap<String, Protocol> protocols) {
  private static final String PREFIX = "projectcontour.io/";

  static ServiceAnnotations decode(Annotations annotations) {
    return new ServiceAnnotations(
        annotations.count(PREFIX + "max-connections"),
        annotations.count(PREFIX + "max-pending-requests"),
        annotations.count(PREFIX + "max-requests"),
        annotations.count(PREFIX + "max-retries"),
        annotations.count(PREFIX + "per-host-max-connections"),
        protocols(annotations));
  }

  private static SortedMap<String, Protocol> protocols(Annotations annotations) {
    SortedMap<String, Protocol> protocols = new TreeMap<>();
    for (Protocol protocol : Protocol.values()) {
      String name = PREFIX + "upstream-protocol." + protocol.word();
      for (String port : annotations.list(name)) {
        Protocol other = protocols.putIfAbsent(port, protocol);
        if (other != null && other != protocol) {
          annotations.invalid(
              name,
              "port \""
                  + port
                  + "\" (expected: one protocol per port, it has "
                  + other.word()
                  + ")");
        }
      }
    }
    return Collections.unmodifiableSortedMap(protocols);
  }
}
