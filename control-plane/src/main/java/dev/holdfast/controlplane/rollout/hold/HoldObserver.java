// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import dev.holdfast.config.ObjectKey;

/** Is called, on the loop, when an object is held, released or dropped from the baseline. */
public interface HoldObserver {
  /** An object is held: its newest generation is not served. */
  void held(Hold hold);

  /** An object is no longer held. */
  void released(ObjectKey key);

  /** The accepted generation of an object is no longer served, although the object still exists. */
  void dropped(ObjectKey key);

  /** The status of an object may have changed. */
  void affected(ObjectKey key);
}
