// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.testkit.envoy;

import com.google.protobuf.Message;
import dev.holdfast.base.TimeSource;
import java.time.Duration;

/** What the parts of a fake can do to the outside. */
interface EnvoyContext {
  /** Runs a task later, in the fake's own turn; not at all once the fake has been restarted. */
  TimeSource.Timer schedule(Duration delay, Runnable task);

  /** Puts a request on the wire when this turn is over. */
  void send(Message request);

  /** Whether there is a stream to send on. */
  boolean isConnected();
}
