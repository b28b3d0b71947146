// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.policy;

import dev.holdfast.grpc.libraries.NewerGrpc;
import io.grpc.LoadBalancer.FixedResultPicker;
import io.grpc.LoadBalancer.PickResult;
import io.grpc.LoadBalancer.SubchannelPicker;
import io.grpc.Status;

/** The pickers that always answer the same. */
public final class Pickers {
  private Pickers() {}

  /** Calls fail; those that wait for ready wait. */
  public static SubchannelPicker failing(Status error) {
    return new FixedResultPicker(PickResult.withError(error));
  }

  /**
   * Calls wait for the next picker.
   *
   * @param reason what for, as a trace shows it
   */
  public static SubchannelPicker connecting(String reason) {
    return new FixedResultPicker(connectingResult(reason));
  }

  /** The answer of {@link #connecting}. */
  public static PickResult connectingResult(String reason) {
    return NewerGrpc.waiting("connecting", reason);
  }
}
