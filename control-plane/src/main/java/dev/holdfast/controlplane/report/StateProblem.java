// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import static java.util.Objects.requireNonNull;

import java.time.Instant;

/**
 * Why the state cannot be written now. Proxies keep what they have, and edits wait: nothing is
 * tried on a proxy before what it runs is stored.
 *
 * @param message with the place, the cause and what helps
 * @param since the first write that failed
 */
public record StateProblem(String message, Instant since) {
  public StateProblem {
    requireNonNull(message, "message");
    requireNonNull(since, "since");
  }
}
