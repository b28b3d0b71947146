// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import io.grpc.LoadBalancer;
import io.grpc.Status;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Sends each call to the least busy of some endpoints chosen by chance (gRFC A48). How busy one is
 * is what this channel has under way with it; the counts live as long as the endpoint is listed.
 */
public final class LeastRequestBalancer extends EagerBalancer {
  private final Supplier<RandomGenerator> random;
  private int choices = 2;

  LeastRequestBalancer(Helper helper, Supplier<RandomGenerator> random) {
    super(helper, "least_request");
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
  SubchannelPicker picker(List<ChildLbState> endpoints) {
    return new LeastRequestPicker(
        endpoints.stream().map(endpoint -> ((CountedEndpoint) endpoint).counted()).toList(),
        choices,
        random);
  }

  private final class CountedEndpoint extends EagerEndpoint {
    private final Outstanding outstanding = new Outstanding();
    private final TracedPicks counted = new TracedPicks(outstanding::counting);

    CountedEndpoint(Object key, LoadBalancer.Factory policy) {
      super(key, policy);
    }

    LeastRequestPicker.Endpoint counted() {
      return new LeastRequestPicker.Endpoint(getCurrentPicker(), outstanding, counted);
    }
  }
}
