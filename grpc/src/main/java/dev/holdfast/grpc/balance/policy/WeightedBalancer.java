// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;

import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Spreads calls over children by weight: the localities of one priority. Only children that are
 * ready get calls; where none is, calls wait for those that connect, and where all fail, calls fail
 * as a child does, chosen by weight too.
 *
 * <p>A child that goes idle is told to connect at once: a locality does not lose its share because
 * its connection was closed while others serve.
 */
public final class WeightedBalancer extends LoadBalancer {
  private final Helper helper;
  private final Supplier<RandomGenerator> random;

  // All below: in the synchronization context.
  private Map<String, WeightedChild> children = new LinkedHashMap<>();
  private boolean updating;

  WeightedBalancer(Helper helper, Supplier<RandomGenerator> random) {
    this.helper = helper;
    this.random = random;
  }

  /** How a policy over weighted children is made. */
  public static PolicyFactory factory(Supplier<RandomGenerator> random) {
    return new PolicyFactory("weighted", helper -> new WeightedBalancer(helper, random));
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    WeightedConfig config =
        (WeightedConfig)
            Objects.requireNonNull(resolved.getLoadBalancingPolicyConfig(), "weighted config");
    updating = true;
    Map<String, WeightedChild> before = children;
    try {
      children = new LinkedHashMap<>();
      for (WeightedConfig.Target target : config.targets()) {
        WeightedChild child = before.remove(target.name());
        if (child == null) {
          child = new WeightedChild(helper, target.name(), this::changed);
        }
        children.put(target.name(), child);
        child.update(target);
      }
    } finally {
      updating = false;
    }
    publish();
    // After the picker that still names them is gone.
    before.values().forEach(WeightedChild::shutdown);
    return Status.OK;
  }

  private void changed() {
    if (!updating) {
      publish();
    }
  }

  private void publish() {
    ChildStates states = new ChildStates();
    children.values().forEach(child -> states.add(child.state()));
    ConnectivityState state = states.aggregate();
    helper.updateBalancingState(
        state,
        state == READY || state == TRANSIENT_FAILURE
            ? pickerOf(state)
            : Pickers.connecting("localities: none connected yet"));
  }

  private SubchannelPicker pickerOf(ConnectivityState state) {
    List<WeightedPicker.Choice> choices = new ArrayList<>();
    for (WeightedChild child : children.values()) {
      if (child.state() == state) {
        choices.add(new WeightedPicker.Choice(child.weight(), child.picker()));
      }
    }
    return choices.isEmpty()
        ? Pickers.failing(Status.UNAVAILABLE.withDescription("localities: none to choose from"))
        : WeightedPicker.of(choices, random);
  }

  @Override
  public void handleNameResolutionError(Status error) {
    if (children.isEmpty()) {
      helper.updateBalancingState(TRANSIENT_FAILURE, Pickers.failing(error));
    }
  }

  @Override
  public void requestConnection() {
    List.copyOf(children.values()).forEach(WeightedChild::requestConnection);
  }

  @Override
  public void shutdown() {
    updating = true;
    children.values().forEach(WeightedChild::shutdown);
    children.clear();
  }
}
