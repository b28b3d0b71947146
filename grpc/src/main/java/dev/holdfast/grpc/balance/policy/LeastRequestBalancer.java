// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;

import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer;
import io.grpc.Status;
import io.grpc.util.MultiChildLoadBalancer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Sends each call to the least busy of some endpoints chosen by chance (gRFC A48). How busy one is
 * is what this channel has under way with it; the counts live as long as the endpoint is listed.
 */
public final class LeastRequestBalancer extends MultiChildLoadBalancer {
  private final Supplier<RandomGenerator> random;
  private int choices = 2;

  LeastRequestBalancer(Helper helper, Supplier<RandomGenerator> random) {
    super(helper);
    this.random = random;
  }

  /** How a least request policy is made; its configuration is a {@link Config}. */
  public static PolicyFactory factory(Supplier<RandomGenerator> random) {
    return new PolicyFactory("least_request", helper -> new LeastRequestBalancer(helper, random));
  }

  /**
   * The configuration.
   *
   * @param choices how many endpoints are compared for each call, 2 to 10
   */
  public record Config(int choices) {}

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    Config config =
        (Config) Objects.requireNonNull(resolved.getLoadBalancingPolicyConfig(), "config");
    choices = config.choices();
    return super.acceptResolvedAddresses(resolved);
  }

  @Override
  protected ChildLbState createChildLbState(Object key) {
    return new CountedEndpoint(key, pickFirstLbProvider);
  }

  @Override
  protected void updateOverallBalancingState() {
    ChildStates states = new ChildStates();
    for (ChildLbState endpoint : getChildLbStates()) {
      // Idle ones are told to connect as soon as they are seen.
      ConnectivityState state = endpoint.getCurrentState();
      states.add(state == IDLE ? CONNECTING : state);
    }
    ConnectivityState state = states.aggregate();
    currentConnectivityState = state;
    getHelper()
        .updateBalancingState(
            state,
            state == CONNECTING
                ? Pickers.connecting("least_request: no endpoint connected yet")
                : new LeastRequestPicker(endpointsIn(state), choices, random));
  }

  private List<LeastRequestPicker.Endpoint> endpointsIn(ConnectivityState state) {
    List<LeastRequestPicker.Endpoint> endpoints = new ArrayList<>();
    for (ChildLbState child : getChildLbStates()) {
      if (child.getCurrentState() == state) {
        endpoints.add(
            new LeastRequestPicker.Endpoint(
                child.getCurrentPicker(), ((CountedEndpoint) child).outstanding));
      }
    }
    return endpoints;
  }

  private final class CountedEndpoint extends ChildLbState {
    private final Outstanding outstanding = new Outstanding();

    CountedEndpoint(Object key, LoadBalancer.Factory policy) {
      super(key, policy);
    }

    @Override
    protected ChildLbStateHelper createChildHelper() {
      return new ChildLbStateHelper() {
        @Override
        public void updateBalancingState(ConnectivityState state, SubchannelPicker picker) {
          super.updateBalancingState(state, picker);
          if (state == IDLE) {
            getLb().requestConnection();
          }
        }
      };
    }
  }
}
