// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;

/** What is to be done for one name of a channel. */
sealed interface Decision {
  /** The proxy has what it ought to have. */
  record Nothing() implements Decision {}

  /** Something else has to come first. */
  record Wait() implements Decision {}

  record Send(Resource resource) implements Decision {}

  /** The proxy has it and ought not to. */
  record Remove() implements Decision {}

  /** It was asked for and there is none; the proxy has not been told. */
  record Missing(String reason) implements Decision {}

  Decision NOTHING = new Nothing();
  Decision WAIT = new Wait();
  Decision REMOVE = new Remove();
}
