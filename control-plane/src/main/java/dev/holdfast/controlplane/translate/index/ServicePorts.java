// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.service.Service;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What those who refer to a service need to know of it.
 *
 * @param protocols by name or number of the port
 */
public record ServicePorts(
    Presence presence, List<Service.Port> ports, SortedMap<String, Protocol> protocols) {

  static ServicePorts of(@Nullable IndexedObject input) {
    return input != null && input.typed() instanceof Service service
        ? new ServicePorts(Presence.VALID, service.ports(), service.settings().protocols())
        : new ServicePorts(Presence.of(input), List.of(), Collections.emptySortedMap());
  }

  /** The port of that number that requests can be sent to; null if there is none. */
  public Service.@Nullable Port port(int number) {
    return ports.stream()
        .filter(port -> port.port() == number && port.transport() == Service.Transport.TCP)
        .findFirst()
        .orElse(null);
  }

  /** The port of that name that requests can be sent to; null if there is none. */
  public Service.@Nullable Port port(String name) {
    return ports.stream()
        .filter(port -> port.name().equals(name) && port.transport() == Service.Transport.TCP)
        .findFirst()
        .orElse(null);
  }

  /** What the service says is spoken on a port; null if it says nothing. */
  public @Nullable Protocol protocol(Service.Port port) {
    Protocol named = port.name().isEmpty() ? null : protocols.get(port.name());
    return named == null ? protocols.get(Integer.toString(port.port())) : named;
  }
}
