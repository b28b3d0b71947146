// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;

import dev.holdfast.grpc.libraries.NewerGrpc;
import io.grpc.Attributes;
import io.grpc.ConnectivityState;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.Status;
import io.grpc.util.MultiChildLoadBalancer;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Sends each call to the endpoint that the hash of the call falls to (gRFC A42), so that calls of
 * one hash meet one endpoint, and the loss of an endpoint moves its own calls only.
 *
 * <p>Endpoints are connected when a call falls to them. Two failed ones are enough for the whole to
 * count as failed, so that another priority can take over before all have been tried; to come back
 * from there without calls, one endpoint at a time is tried (gRFC A61).
 */
public final class RingHashBalancer extends MultiChildLoadBalancer {
  /** How a ring hash policy is made; its configuration is a {@link Config}. */
  public static final PolicyFactory FACTORY = new PolicyFactory("ring_hash", RingHashBalancer::new);

  /** The largest ring that a server can make a client build. */
  public static final long MAX_SIZE = 4096;

  /** What an endpoint is placed by, unless it is its address (gRFC A76). */
  public static final Attributes.Key<String> HASH_KEY =
      Attributes.Key.create("dev.holdfast.grpc.endpoint-hash-key");

  private final LoadBalancer.Factory lazily =
      new PolicyFactory("lazy", helper -> new LazyBalancer(helper, pickFirstLbProvider));
  private Ring ring = Ring.EMPTY;

  RingHashBalancer(Helper helper) {
    super(helper);
  }

  /** The sizes that the server wants; {@link #MAX_SIZE} limits both. */
  public record Config(long minSize, long maxSize) {
    public Config {
      minSize = Math.min(minSize, MAX_SIZE);
      maxSize = Math.min(maxSize, MAX_SIZE);
    }
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    Config config =
        (Config) Objects.requireNonNull(resolved.getLoadBalancingPolicyConfig(), "config");
    List<EquivalentAddressGroup> endpoints = merged(resolved.getAddresses());
    if (endpoints.isEmpty()) {
      return super.acceptResolvedAddresses(resolved);
    }
    List<Ring.Member> members = new ArrayList<>();
    for (EquivalentAddressGroup endpoint : endpoints) {
      members.add(new Ring.Member(key(endpoint), weight(endpoint)));
    }
    ring = Ring.of(members, config.minSize(), config.maxSize());
    return super.acceptResolvedAddresses(resolved.toBuilder().setAddresses(endpoints).build());
  }

  /** An endpoint that is listed several times is one endpoint with the sum of the weights. */
  private static List<EquivalentAddressGroup> merged(List<EquivalentAddressGroup> endpoints) {
    Map<Object, EquivalentAddressGroup> byAddresses = new LinkedHashMap<>();
    for (EquivalentAddressGroup endpoint : endpoints) {
      byAddresses.merge(
          new Endpoint(endpoint),
          endpoint,
          (first, again) ->
              new EquivalentAddressGroup(
                  first.getAddresses(),
                  first.getAttributes().toBuilder()
                      .set(NewerGrpc.ENDPOINT_WEIGHT, weight(first) + weight(again))
                      .build()));
    }
    return List.copyOf(byAddresses.values());
  }

  private static long weight(EquivalentAddressGroup endpoint) {
    Long weight = endpoint.getAttributes().get(NewerGrpc.ENDPOINT_WEIGHT);
    return weight == null ? 1 : weight;
  }

  /** Its own key, else its first address (gRFC A61), in the form that Envoy hashes too. */
  private static String key(EquivalentAddressGroup endpoint) {
    String own = endpoint.getAttributes().get(HASH_KEY);
    if (own != null) {
      return own;
    }
    SocketAddress address = endpoint.getAddresses().get(0);
    if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
      String host = inet.getAddress().getHostAddress();
      return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + inet.getPort();
    }
    return address.toString();
  }

  @Override
  protected ChildLbState createChildLbState(Object key) {
    return new ChildLbState(key, lazily);
  }

  @Override
  protected void updateOverallBalancingState() {
    // In the order of the addresses: the ring counts them by it.
    List<ChildLbState> endpoints = List.copyOf(getChildLbStates());
    ChildStates states = new ChildStates();
    endpoints.forEach(endpoint -> states.add(endpoint.getCurrentState()));
    if (states.in(READY) == 0
        && states.in(CONNECTING) == 0
        && states.in(TRANSIENT_FAILURE) > 0
        && states.in(IDLE) > 0) {
      connectOne();
    }
    currentConnectivityState = aggregate(states, endpoints.size());
    getHelper()
        .updateBalancingState(
            currentConnectivityState,
            new RingHashPicker(ring, endpoints, getHelper().getSynchronizationContext()));
  }

  private static ConnectivityState aggregate(ChildStates states, int endpoints) {
    if (states.in(READY) > 0) {
      return READY;
    }
    if (states.in(TRANSIENT_FAILURE) >= 2) {
      return TRANSIENT_FAILURE;
    }
    if (states.in(CONNECTING) > 0 || (states.in(TRANSIENT_FAILURE) == 1 && endpoints > 1)) {
      return CONNECTING;
    }
    return states.in(IDLE) > 0 ? IDLE : TRANSIENT_FAILURE;
  }

  /** Leaves the idle state although no call says which endpoint it needs. */
  @Override
  public void requestConnection() {
    if (currentConnectivityState == IDLE) {
      connectOne();
    }
  }

  private void connectOne() {
    // Later, so that the report that leads here is over.
    getHelper()
        .getSynchronizationContext()
        .execute(
            () -> {
              for (ChildLbState endpoint : getChildLbStates()) {
                ConnectivityState state = endpoint.getCurrentState();
                if (state == CONNECTING || state == READY) {
                  return;
                }
              }
              for (ChildLbState endpoint : getChildLbStates()) {
                if (endpoint.getCurrentState() == IDLE) {
                  endpoint.getLb().requestConnection();
                  return;
                }
              }
            });
  }
}
