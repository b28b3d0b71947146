// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.brake;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.ConfigObject;
import java.time.Instant;

/**
 * An object that its source no longer has, and that is served until its deletion is confirmed.
 *
 * @param object as it was before
 * @param since when its source was first seen without it
 */
public record WaitingDeletion(ConfigObject object, Instant since) {
  public WaitingDeletion {
    requireNonNull(object, "object");
    requireNonNull(since, "since");
  }
}
