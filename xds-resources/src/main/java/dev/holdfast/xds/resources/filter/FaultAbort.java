// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * How calls are failed.
 *
 * @param share of the calls that are failed
 */
public record FaultAbort(Cause cause, FaultShare share) {

  /** Where the status comes from. */
  public sealed interface Cause {
    /** Handles all kinds. */
    <R> R fold(
        IntFunction<? extends R> grpcStatus,
        IntFunction<? extends R> httpStatus,
        Supplier<? extends R> header);
  }

  /** The status itself; a number that no status has stands for UNKNOWN. */
  public record GrpcStatus(int code) implements Cause {
    @Override
    public <R> R fold(
        IntFunction<? extends R> grpcStatus,
        IntFunction<? extends R> httpStatus,
        Supplier<? extends R> header) {
      return grpcStatus.apply(code);
    }
  }

  /** The status that a call would end with if a server answered it like this. */
  public record HttpStatus(int code) implements Cause {
    @Override
    public <R> R fold(
        IntFunction<? extends R> grpcStatus,
        IntFunction<? extends R> httpStatus,
        Supplier<? extends R> header) {
      return httpStatus.apply(code);
    }
  }

  /** A header of the call says it. */
  public record Header() implements Cause {
    @Override
    public <R> R fold(
        IntFunction<? extends R> grpcStatus,
        IntFunction<? extends R> httpStatus,
        Supplier<? extends R> header) {
      return header.get();
    }
  }
}
