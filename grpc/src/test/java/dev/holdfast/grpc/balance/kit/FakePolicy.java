// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import dev.holdfast.grpc.balance.policy.Policy;
import dev.holdfast.grpc.balance.policy.PolicyFactory;
import io.grpc.ConnectivityState;
import io.grpc.EquivalentAddressGroup;
import io.grpc.LoadBalancer;
import io.grpc.LoadBalancer.FixedResultPicker;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A policy whose balancers, known by their configurations, do as a test says. */
public final class FakePolicy {
  private final FakeChannel channel;
  private final Map<Object, Balancer> balancers = new HashMap<>();
  private final PolicyFactory factory = new PolicyFactory("fake", Balancer::new);

  public FakePolicy(FakeChannel channel) {
    this.channel = channel;
  }

  /** The policy with a configuration, which names the balancer that gets it. */
  public Policy named(String name) {
    return new Policy(factory, name);
  }

  /** The balancer that last got this name; fails if there is none. */
  public Balancer get(String name) {
    Balancer balancer = balancers.get(name);
    if (balancer == null) {
      throw new AssertionError("no balancer " + name + " in " + balancers.keySet());
    }
    return balancer;
  }

  public boolean has(String name) {
    return balancers.containsKey(name);
  }

  /** One balancer. */
  public final class Balancer extends LoadBalancer {
    private final Helper helper;
    private final List<List<EquivalentAddressGroup>> accepted = new ArrayList<>();
    private int requests;
    private boolean shutDown;

    private Balancer(Helper helper) {
      this.helper = helper;
    }

    public List<List<EquivalentAddressGroup>> accepted() {
      return accepted;
    }

    public int requests() {
      return requests;
    }

    public boolean isShutDown() {
      return shutDown;
    }

    public void report(ConnectivityState state, SubchannelPicker picker) {
      channel.run(() -> helper.updateBalancingState(state, picker));
    }

    /** Reports ready, with a picker to be known by. */
    public SubchannelPicker ready() {
      SubchannelPicker picker = new FixedResultPicker(PickResult.withNoResult());
      report(ConnectivityState.READY, picker);
      return picker;
    }

    public void connecting() {
      report(ConnectivityState.CONNECTING, new FixedResultPicker(PickResult.withNoResult()));
    }

    public void idle() {
      report(ConnectivityState.IDLE, new FixedResultPicker(PickResult.withNoResult()));
    }

    public void fail(String why) {
      report(
          ConnectivityState.TRANSIENT_FAILURE,
          new FixedResultPicker(PickResult.withError(Status.UNAVAILABLE.withDescription(why))));
    }

    @Override
    public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
      balancers.put(String.valueOf(resolved.getLoadBalancingPolicyConfig()), this);
      accepted.add(resolved.getAddresses());
      return Status.OK;
    }

    @Override
    public void handleNameResolutionError(Status error) {
      fail(String.valueOf(error.getDescription()));
    }

    @Override
    public void requestConnection() {
      requests++;
    }

    @Override
    public void shutdown() {
      shutDown = true;
    }
  }
}
