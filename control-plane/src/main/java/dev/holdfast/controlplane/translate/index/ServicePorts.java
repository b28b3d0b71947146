// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.controlplane.objects.httpproxy.RouteService.Protocol;
import dev.holdfast.controlplane.objects.service.Service;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The ports of a service, as far as objects that refer to the service depend on them.
 *
 * @param protocols by name or number of the port
 * @param externalName where the service leads outside of the cluster; otherwise empty
 */
public record ServicePorts(
    Presence presence,
    List<Service.Port> ports,
    SortedMap<String, Protocol> protocols,
    String externalName) {

  static ServicePorts of(@Nullable IndexedObject indexed) {
    return indexed != null && indexed.typed() instanceof Service service
        ? new ServicePorts(
            Presence.VALID, service.ports(), service.settings().protocols(), service.externalName())
        : new ServicePorts(Presence.of(indexed), List.of(), Collections.emptySortedMap(), "");
  }

  /** The TCP port with that number; null if there is none. */
  public Service.@Nullable Port port(int number) {
    return ports.stream()
        .filter(port -> port.port() == number && port.transport() == Service.Transport.TCP)
        .findFirst()
        .orElse(null);
  }

  /** The TCP port with that name; null if there is none. */
  public Service.@Nullable Port port(String name) {
    return ports.stream()
        .filter(port -> port.name().equals(name) && port.transport() == Service.Transport.TCP)
        .findFirst()
        .orElse(null);
  }

  /** The protocol that the service's annotations set for a port; null if they set none. */
  public @Nullable Protocol protocol(Service.Port port) {
    Protocol named = port.name().isEmpty() ? null : protocols.get(port.name());
    return named == null ? protocols.get(Integer.toString(port.port())) : named;
  }
}
