// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.controlplane.snapshot.Resource;

/** What is to be done for one name of a type stream. */
sealed interface NameDecision {
  /** The proxy has what it ought to have. */
  record Nothing() implements NameDecision {}

  /** Something else has to come first. */
  record Wait() implements NameDecision {}

  record Send(Resource resource) implements NameDecision {}

  /** The proxy has it and ought not to. */
  record Remove() implements NameDecision {}

  /** It was asked for and there is none; the proxy has not been told. */
  record Missing(String reason) implements NameDecision {}

  NameDecision NOTHING = new Nothing();
  NameDecision WAIT = new Wait();
  NameDecision REMOVE = new Remove();
}
