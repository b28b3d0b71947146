// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import dev.holdfast.cli.client.ObjectName;

/**
 * What is waited for of one object.
 *
 * @param generation at least this one; 0 for whichever there is
 */
public record WaitTarget(ObjectName object, long generation) {
  WaitTarget withObject(ObjectName exact) {
    return new WaitTarget(exact, generation);
  }
}
