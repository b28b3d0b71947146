// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.xds.resources.cluster.SessionAffinity;
import dev.holdfast.xds.resources.endpoint.Endpoint;
import dev.holdfast.xds.resources.endpoint.EndpointHealth;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import io.grpc.EquivalentAddressGroup;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints of a cluster that calls of sessions may go to, of all priorities. They are sorted
 * by address when the first such call asks for one: clusters without sessions pay nothing.
 */
final class SessionHosts {
  private final SessionAffinity affinity;
  private final List<LocalityEndpoints> localities;

  /** Made on demand; it does not matter if two threads do. */
  private volatile @Nullable Map<SocketAddress, Host> byAddress;

  SessionHosts(SessionAffinity affinity, List<LocalityEndpoints> localities) {
    this.affinity = affinity;
    this.localities = localities;
  }

  /** One endpoint. */
  record Host(Endpoint endpoint, LocalityEndpoints locality) {
    /** A subchannel to one of the addresses has this. */
    EquivalentAddressGroup group(SocketAddress address) {
      return EndpointAttributes.single(endpoint, locality, address);
    }

    /** The addresses, the one in use first. */
    List<SocketAddress> addresses(SocketAddress used) {
      List<SocketAddress> addresses = new ArrayList<>(endpoint.addresses().size());
      addresses.add(used);
      for (SocketAddress address : endpoint.addresses()) {
        if (!address.equals(used)) {
          addresses.add(address);
        }
      }
      return addresses;
    }
  }

  SessionAffinity affinity() {
    return affinity;
  }

  /** Whether there may be sessions at endpoints that are draining. */
  boolean hasDraining() {
    return affinity.statuses().contains(EndpointHealth.DRAINING)
        && localities.stream()
            .flatMap(locality -> locality.endpoints().stream())
            .anyMatch(endpoint -> endpoint.health() == EndpointHealth.DRAINING);
  }

  /** The endpoint at an address; null if there is none. */
  @Nullable Host at(SocketAddress address) {
    Map<SocketAddress, Host> known = byAddress;
    if (known == null) {
      known = sorted();
      byAddress = known;
    }
    return known.get(address);
  }

  /** The same, if calls of its sessions may go to it. */
  @Nullable Host usableAt(SocketAddress address) {
    Host host = at(address);
    return host != null && affinity.statuses().contains(host.endpoint().health()) ? host : null;
  }

  private Map<SocketAddress, Host> sorted() {
    Map<SocketAddress, Host> hosts = new HashMap<>();
    for (LocalityEndpoints locality : localities) {
      for (Endpoint endpoint : locality.endpoints()) {
        for (SocketAddress address : endpoint.addresses()) {
          Host host = new Host(endpoint, locality);
          if (endpoint.health() == EndpointHealth.DRAINING) {
            hosts.putIfAbsent(address, host);
          } else {
            hosts.put(address, host);
          }
        }
      }
    }
    return hosts;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SessionHosts that
        && affinity.equals(that.affinity)
        && localities.equals(that.localities);
  }

  @Override
  public int hashCode() {
    return Objects.hash(affinity, localities);
  }
}
