// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import java.util.Map;

/**
 * Where the status of objects is told to their authors.
 *
 * <p>Statuses are coalesced: an author may never see one that was soon replaced, but always sees
 * the last. A sink never blocks its caller, which is the pipeline that serves proxies, and never
 * throws: what takes long or may fail happens on threads of its own, where the newest status of an
 * object takes the place of one that is still waiting.
 */
@FunctionalInterface
public interface StatusSink {
  /**
   * These objects now have these statuses; all others have those that they had. An object for
   * another controller has an empty one: what was told of it before is taken back. Called by one
   * thread at a time.
   */
  void report(Map<ObjectKey, ObjectStatus> changed);
}
