// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.service.Service;
import org.jspecify.annotations.Nullable;

/** The protocol of a service port. */
public final class Protocols {
  private Protocols() {}

  /**
   * The protocol that the route sets, or else the one that the service's annotations set for the
   * port by its name or number; null if neither sets one.
   */
  public static @Nullable Protocol of(
      @Nullable Protocol ofRoute, Service service, Service.Port port) {
    if (ofRoute != null) {
      return ofRoute;
    }
    Protocol byName = service.settings().protocols().get(port.name());
    return byName != null
        ? byName
        : service.settings().protocols().get(String.valueOf(port.port()));
  }
}
