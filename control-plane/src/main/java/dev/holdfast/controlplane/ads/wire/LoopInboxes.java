// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import dev.holdfast.base.Loop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One inbox per connection thread. These threads are few and live as long as the server. */
final class LoopInboxes {
  private final Loop loop;
  private final LoopInbox direct;
  private final Map<ConnectionThread, LoopInbox> inboxes = new ConcurrentHashMap<>();

  LoopInboxes(Loop loop) {
    this.loop = loop;
    this.direct = new LoopInbox(loop, Runnable::run);
  }

  /** The inbox of a thread; for an unknown thread, an inbox that passes on every task at once. */
  LoopInbox of(@Nullable ConnectionThread thread) {
    return thread == null
        ? direct
        : inboxes.computeIfAbsent(thread, one -> new LoopInbox(loop, one.executor()));
  }
}
