// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;

import io.grpc.ConnectivityState;
import io.grpc.LoadBalancer;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls to the best priority that can be reached (gRFC A56).
 *
 * <p>Priorities are tried in order. One that is ready or idle is taken; one that has had no time to
 * connect yet is waited for; only where it fails, or its time is up, the next one is created. Those
 * below the chosen one are kept for a while, for the next time; those that the configuration no
 * longer has are not (gRFC A115). Where all have failed, the first that still tries is waited for,
 * or else the last one's error is what calls see.
 *
 * <p>One rule goes beyond A56: while a priority is waited for, a lower one that serves and is ready
 * goes on serving. To put a new priority above a working one costs no call its time.
 */
public final class PriorityBalancer extends LoadBalancer {
  /** How a policy over priorities is made. */
  public static final PolicyFactory FACTORY = new PolicyFactory("priority", PriorityBalancer::new);

  private final Helper helper;

  // All below: in the synchronization context.
  private final Map<String, PriorityChild> children = new HashMap<>();
  private List<PriorityConfig.Child> order = List.of();
  private boolean updating;
  private @Nullable PriorityChild current;
  private @Nullable ConnectivityState publishedState;
  private @Nullable SubchannelPicker publishedPicker;

  PriorityBalancer(Helper helper) {
    this.helper = helper;
  }

  @Override
  public Status acceptResolvedAddresses(ResolvedAddresses resolved) {
    PriorityConfig config =
        (PriorityConfig)
            Objects.requireNonNull(resolved.getLoadBalancingPolicyConfig(), "priority config");
    order = config.children();
    List<PriorityChild> removed = removeAllBut(order);
    updating = true;
    try {
      for (PriorityConfig.Child wanted : order) {
        PriorityChild child = children.get(wanted.name());
        if (child != null) {
          child.update(wanted);
        }
      }
    } finally {
      updating = false;
    }
    choose();
    // After the picker that still names them is gone.
    removed.forEach(PriorityChild::shutdown);
    return Status.OK;
  }

  private List<PriorityChild> removeAllBut(List<PriorityConfig.Child> wanted) {
    Set<String> names = new HashSet<>();
    wanted.forEach(child -> names.add(child.name()));
    List<PriorityChild> removed = new ArrayList<>(children.values());
    removed.removeIf(child -> names.contains(child.name()));
    children.keySet().retainAll(names);
    return removed;
  }

  /** Something about a child has changed. */
  void changed() {
    if (!updating) {
      choose();
    }
  }

  /** A child has been out of use for so long that it is not kept any longer. */
  void expired(PriorityChild child) {
    children.remove(child.name());
    child.shutdown();
  }

  private void choose() {
    for (int i = 0; i < order.size(); i++) {
      PriorityConfig.Child wanted = order.get(i);
      PriorityChild child = children.get(wanted.name());
      if (child == null) {
        child = new PriorityChild(helper, wanted.name(), this);
        children.put(wanted.name(), child);
        publish(servingBelow(i, child));
        // May report at once, and so come back here: nothing is left to do after it.
        child.update(wanted);
        return;
      }
      child.activate();
      if (child.usable()) {
        publish(child);
        deactivateBelow(i);
        return;
      }
      if (child.waitedFor()) {
        publish(servingBelow(i, child));
        return;
      }
    }
    publish(bestOfFailed());
  }

  /** The child that serves now, if it is one below the given one and ready; else the given one. */
  private PriorityChild servingBelow(int index, PriorityChild child) {
    PriorityChild serving = current;
    if (serving == null || !serving.ready() || !serving.active()) {
      return child;
    }
    for (PriorityConfig.Child below : order.subList(index + 1, order.size())) {
      if (below.name().equals(serving.name())) {
        return serving;
      }
    }
    return child;
  }

  private void deactivateBelow(int index) {
    for (PriorityConfig.Child below : order.subList(index + 1, order.size())) {
      PriorityChild child = children.get(below.name());
      if (child != null) {
        child.deactivate();
      }
    }
  }

  private PriorityChild bestOfFailed() {
    List<PriorityChild> failed = new ArrayList<>();
    for (PriorityConfig.Child wanted : order) {
      failed.add(Objects.requireNonNull(children.get(wanted.name())));
    }
    for (PriorityChild child : failed) {
      if (child.connecting()) {
        return child;
      }
    }
    return failed.get(failed.size() - 1);
  }

  @SuppressWarnings("ReferenceEquality") // a child that has news brings another picker
  private void publish(PriorityChild child) {
    if (current != child || publishedState != child.state() || publishedPicker != child.picker()) {
      current = child;
      publishedState = child.state();
      publishedPicker = child.picker();
      helper.updateBalancingState(child.state(), child.picker());
    }
  }

  @Override
  public void handleNameResolutionError(Status error) {
    if (current == null) {
      helper.updateBalancingState(TRANSIENT_FAILURE, Pickers.failing(error));
    }
  }

  @Override
  public void requestConnection() {
    if (current != null) {
      current.requestConnection();
    }
  }

  @Override
  public void shutdown() {
    // Children that report while they are shut down find nothing to choose from.
    updating = true;
    for (PriorityChild child : List.copyOf(children.values())) {
      child.shutdown();
    }
    children.clear();
  }
}
