// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.base.Loop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One inbox for each thread that serves connections; there are few, and they stay. */
final class Inboxes {
  private final Loop loop;
  private final Inbox direct;
  private final Map<Turns, Inbox> inboxes = new ConcurrentHashMap<>();

  Inboxes(Loop loop) {
    this.loop = loop;
    this.direct = new Inbox(loop, Runnable::run);
  }

  /** The one of a thread; where it is not known, one that gives the loop everything at once. */
  Inbox of(@Nullable Turns thread) {
    return thread == null
        ? direct
        : inboxes.computeIfAbsent(thread, turns -> new Inbox(loop, turns.thread()));
  }
}
