// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import com.google.protobuf.UInt32Value;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.objects.service.Service;
import io.envoyproxy.envoy.config.core.v3.Locality;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import java.util.Collection;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The endpoints of a service as a load assignment. */
public final class Assignments {
  private Assignments() {}

  private record Address(String ip, int port) implements Comparable<Address> {
    private static final Comparator<Address> ORDER =
        Comparator.comparing(Address::ip).thenComparingInt(Address::port);

    @Override
    public int compareTo(Address other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * The ready endpoints; the order of the slices does not matter. An endpoint in several slices, as
   * happens while Kubernetes moves it, is added once; if the slices differ in its zone, the first
   * by name wins.
   *
   * @param name the name of the assignment, which clusters refer to
   * @param port of the service; slices identify it by name, and have the target port number
   * @param slices all slices of the service, of both IP versions
   */
  public static ClusterLoadAssignment of(
      String name, Service.Port port, Collection<EndpointSlice> slices) {
    SortedMap<Address, String> zones = new TreeMap<>();
    for (EndpointSlice slice : slices) {
      for (EndpointSlice.Port number : slice.ports()) {
        if (number.name().equals(port.name()) && number.transport() == port.transport()) {
          addReady(zones, slice, number.port());
        }
      }
    }
    SortedMap<String, SortedSet<Address>> byZone = new TreeMap<>();
    zones.forEach(
        (address, zone) -> byZone.computeIfAbsent(zone, unused -> new TreeSet<>()).add(address));
    ClusterLoadAssignment.Builder assignment =
        ClusterLoadAssignment.newBuilder().setClusterName(name);
    byZone.forEach((zone, addresses) -> assignment.addEndpoints(locality(zone, addresses)));
    return assignment.build();
  }

  private static void addReady(SortedMap<Address, String> zones, EndpointSlice slice, int port) {
    for (EndpointSlice.Endpoint endpoint : slice.endpoints()) {
      if (endpoint.ready()) {
        for (String ip : endpoint.addresses()) {
          zones.merge(
              new Address(ip, port), endpoint.zone(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
        }
      }
    }
  }

  /**
   * The weight is the number of endpoints, so that each endpoint gets the same share; gRPC requires
   * a weight.
   */
  private static LocalityLbEndpoints locality(String zone, SortedSet<Address> addresses) {
    LocalityLbEndpoints.Builder locality =
        LocalityLbEndpoints.newBuilder()
            .setLocality(Locality.newBuilder().setZone(zone))
            .setLoadBalancingWeight(UInt32Value.of(addresses.size()));
    addresses.forEach(address -> locality.addLbEndpoints(endpoint(address)));
    return locality.build();
  }

  private static LbEndpoint endpoint(Address address) {
    LbEndpoint.Builder endpoint = LbEndpoint.newBuilder();
    endpoint
        .getEndpointBuilder()
        .getAddressBuilder()
        .getSocketAddressBuilder()
        .setAddress(address.ip())
        .setPortValue(address.port());
    return endpoint.build();
  }
}
