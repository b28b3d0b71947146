// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import static io.grpc.ConnectivityState.CONNECTING;
import static io.grpc.ConnectivityState.IDLE;
import static io.grpc.ConnectivityState.READY;
import static io.grpc.ConnectivityState.TRANSIENT_FAILURE;

import io.grpc.ConnectivityState;
import java.util.EnumMap;
import java.util.Map;

/**
 * How many children of a balancer are in which state, and what that makes of all of them: the best
 * state that any of them is in, where connecting counts more than being idle.
 */
public final class ChildStates {
  private final Map<ConnectivityState, Integer> counts = new EnumMap<>(ConnectivityState.class);

  public void add(ConnectivityState state) {
    counts.merge(state, 1, Integer::sum);
  }

  public void remove(ConnectivityState state) {
    counts.merge(state, -1, Integer::sum);
  }

  public int in(ConnectivityState state) {
    return counts.getOrDefault(state, 0);
  }

  /** The state of all together; a failure if there are none. */
  public ConnectivityState aggregate() {
    if (in(READY) > 0) {
      return READY;
    }
    if (in(CONNECTING) > 0) {
      return CONNECTING;
    }
    return in(IDLE) > 0 ? IDLE : TRANSIENT_FAILURE;
  }
}
