// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.balance.policy.RingHashBalancer;
import dev.holdfast.grpc.libraries.NewerGrpc;
import dev.holdfast.xds.resources.endpoint.Endpoint;
import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import io.grpc.Attributes;
import io.grpc.EquivalentAddressGroup;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Endpoints in the form that balancers take, with what is known of each as attributes. */
final class EndpointAttributes {
  /** What the authority of a call becomes, if its route wants that (gRFC A81). */
  static final Attributes.Key<String> HOSTNAME =
      Attributes.Key.create("dev.holdfast.grpc.endpoint-hostname");

  /** Where it is. */
  static final Attributes.Key<Locality> LOCALITY =
      Attributes.Key.create("dev.holdfast.grpc.endpoint-locality");

  /** Which address a subchannel is connected to, of those that it has. */
  static final Attributes.Key<SocketAddress> CONNECTED_ADDRESS =
      Attributes.Key.create("dev.holdfast.grpc.connected-address");

  /** What a weight must fit into, for whoever reads it. */
  private static final long MAX_WEIGHT = 0xFFFF_FFFFL;

  private EndpointAttributes() {}

  /** The name under which a locality appears in metrics. */
  static String name(Locality locality) {
    return "{region=\"%s\", zone=\"%s\", sub_zone=\"%s\"}"
        .formatted(locality.region(), locality.zone(), locality.subZone());
  }

  /** One locality of one priority. */
  record Group(String name, long weight, List<EquivalentAddressGroup> endpoints) {}

  /**
   * The localities of one priority, in the order in which they were sent, for a policy that sees
   * all of their endpoints: each weighs as much as its locality makes it (gRFC A42).
   */
  static List<Group> together(List<LocalityEndpoints> localities) {
    return groups(localities, LocalityEndpoints::weight);
  }

  /**
   * The same for a policy that sees the endpoints of one locality. Other weights of the localities
   * are none of its business.
   */
  static List<Group> apart(List<LocalityEndpoints> localities) {
    return groups(localities, locality -> 1);
  }

  private static List<Group> groups(
      List<LocalityEndpoints> localities, ToLongFunction<LocalityEndpoints> factor) {
    int shift = excess(localities, factor);
    List<Group> groups = new ArrayList<>();
    for (LocalityEndpoints locality : localities) {
      String name = name(locality.locality());
      List<EquivalentAddressGroup> endpoints = new ArrayList<>();
      for (Endpoint endpoint : locality.endpoints()) {
        long weight = Math.max(1, (factor.applyAsLong(locality) * endpoint.weight()) >>> shift);
        endpoints.add(group(endpoint, locality.locality(), name, weight));
      }
      groups.add(new Group(name, locality.weight(), List.copyOf(endpoints)));
    }
    return groups;
  }

  private static EquivalentAddressGroup group(
      Endpoint endpoint, Locality locality, String localityName, long weight) {
    Attributes.Builder attributes =
        Attributes.newBuilder()
            .set(EquivalentAddressGroup.ATTR_LOCALITY_NAME, localityName)
            .set(LOCALITY, locality)
            .set(NewerGrpc.ENDPOINT_WEIGHT, weight);
    if (!endpoint.hostname().isEmpty()) {
      attributes.set(HOSTNAME, endpoint.hostname());
    }
    if (!endpoint.hashKey().isEmpty()) {
      attributes.set(RingHashBalancer.HASH_KEY, endpoint.hashKey());
    }
    return new EquivalentAddressGroup(
        List.<SocketAddress>copyOf(endpoint.addresses()), attributes.build());
  }

  /** One address of an endpoint. */
  static EquivalentAddressGroup single(
      Endpoint endpoint, LocalityEndpoints locality, SocketAddress address) {
    return marked(
        address,
        group(endpoint, locality.locality(), name(locality.locality()), endpoint.weight())
            .getAttributes());
  }

  /** The same addresses in the same order, each in a group of its own that says which it is. */
  static List<EquivalentAddressGroup> marked(List<EquivalentAddressGroup> groups) {
    List<EquivalentAddressGroup> single = new ArrayList<>(groups.size());
    for (EquivalentAddressGroup group : groups) {
      for (SocketAddress address : group.getAddresses()) {
        single.add(marked(address, group.getAttributes()));
      }
    }
    return single;
  }

  private static EquivalentAddressGroup marked(SocketAddress address, Attributes attributes) {
    return new EquivalentAddressGroup(
        address, attributes.toBuilder().set(CONNECTED_ADDRESS, address).build());
  }

  /** By how many bits the largest product of two weights must be reduced to fit. */
  private static int excess(
      List<LocalityEndpoints> localities, ToLongFunction<LocalityEndpoints> factor) {
    long largest = 0;
    for (LocalityEndpoints locality : localities) {
      for (Endpoint endpoint : locality.endpoints()) {
        long product = factor.applyAsLong(locality) * endpoint.weight();
        largest = Long.compareUnsigned(product, largest) > 0 ? product : largest;
      }
    }
    int shift = 0;
    while (Long.compareUnsigned(largest >>> shift, MAX_WEIGHT) > 0) {
      shift++;
    }
    return shift;
  }
}
