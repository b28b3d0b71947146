// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;

import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer;
import io.grpc.util.MultiChildLoadBalancer;
import java.util.ArrayList;
import java.util.List;

/**
 * A balancer that is connected to all of its endpoints: those that are idle are told to connect. It
 * picks among the endpoints in the best state that any has.
 */
abstract class EagerBalancer extends MultiChildLoadBalancer {
  private final String name;

  /**
   * @param name what it is called in traces of calls that wait
   */
  EagerBalancer(Helper helper, String name) {
    super(helper);
    this.name = name;
  }

  /** Picks among these; there is at least one. */
  abstract SubchannelPicker picker(List<ChildLbState> endpoints);

  /** There is nothing to pick for now. */
  void waiting() {}

  @Override
  protected final void updateOverallBalancingState() {
    ChildStates states = new ChildStates();
    for (ChildLbState endpoint : getChildLbStates()) {
      // Idle ones are told to connect as soon as they are seen.
      ConnectivityState state = endpoint.getCurrentState();
      states.add(state == IDLE ? CONNECTING : state);
    }
    ConnectivityState state = states.aggregate();
    currentConnectivityState = state;
    if (state == CONNECTING) {
      waiting();
      getHelper()
          .updateBalancingState(state, Pickers.connecting(name + ": no endpoint connected yet"));
    } else {
      getHelper().updateBalancingState(state, picker(endpointsIn(state)));
    }
  }

  private List<ChildLbState> endpointsIn(ConnectivityState state) {
    List<ChildLbState> endpoints = new ArrayList<>();
    for (ChildLbState endpoint : getChildLbStates()) {
      if (endpoint.getCurrentState() == state) {
        endpoints.add(endpoint);
      }
    }
    return endpoints;
  }

  /** An endpoint that does not stay idle. */
  abstract class EagerEndpoint extends ChildLbState {
    EagerEndpoint(Object key, LoadBalancer.Factory policy) {
      super(key, policy);
    }

    @Override
    protected ChildLbStateHelper createChildHelper() {
      return new EagerHelper();
    }

    class EagerHelper extends ChildLbStateHelper {
      @Override
      public void updateBalancingState(ConnectivityState state, SubchannelPicker picker) {
        super.updateBalancingState(state, picker);
        if (state == IDLE) {
          getLb().requestConnection();
        }
      }
    }
  }
}
