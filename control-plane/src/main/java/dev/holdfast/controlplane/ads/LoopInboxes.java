// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.base.Loop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One inbox for each thread that serves connections; there are few, and they stay. */
final class LoopInboxes {
  private final Loop loop;
  private final LoopInbox direct;
  private final Map<ConnectionThread, LoopInbox> inboxes = new ConcurrentHashMap<>();

  LoopInboxes(Loop loop) {
    this.loop = loop;
    this.direct = new LoopInbox(loop, Runnable::run);
  }

  /** The one of a thread; where it is not known, one that gives the loop everything at once. */
  LoopInbox of(@Nullable ConnectionThread thread) {
    return thread == null
        ? direct
        : inboxes.computeIfAbsent(thread, turns -> new LoopInbox(loop, turns.thread()));
  }
}
