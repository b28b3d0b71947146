// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

/** A wish that a cluster be kept, whether routes name it or not. */
public interface Subscription extends AutoCloseable {
  /** Gives the wish up. Idempotent; from any thread. */
  @Override
  void close();
}
