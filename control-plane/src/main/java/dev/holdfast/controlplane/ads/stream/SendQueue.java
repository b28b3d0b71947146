// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.base.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * The proxies that may be sent something, once all events of this turn of the loop are known. Loop
 * only.
 *
 * <p>Proxies that may be sent many resources, because they have just started for example, come last
 * and one per turn. Each of them takes milliseconds: if all were served in one turn, an edit would
 * wait for all of them on each of its ways through the loop.
 */
public final class SendQueue {
  private final Loop loop;
  private List<Proxy> proxies = new ArrayList<>();
  private final Queue<Proxy> large = new ArrayDeque<>();
  private boolean scheduled;

  public SendQueue(Loop loop) {
    this.loop = loop;
  }

  /** Queues a proxy unless there is nothing to send to it. */
  public void add(Proxy proxy) {
    if (!proxy.mayHaveResponse()) {
      return;
    }
    if (!proxy.queued) {
      proxy.queued = true;
      proxies.add(proxy);
    }
    sendAtEndOfTurn();
  }

  private void sendAtEndOfTurn() {
    if (!scheduled) {
      scheduled = true;
      loop.atEndOfTurn(this::sendAll);
    }
  }

  private void sendAll() {
    scheduled = false;
    List<Proxy> queued = proxies;
    proxies = new ArrayList<>();
    queued.forEach(proxy -> proxy.queued = false);
    for (Proxy proxy : queued) {
      if (proxy.mayHaveLargeResponse()) {
        proxy.queued = true;
        large.add(proxy);
      } else {
        proxy.sendResponses();
      }
    }
    sendToOneOfTheLarge();
    if (!large.isEmpty()) {
      loop.execute(this::sendAtEndOfTurn); // after all that has come meanwhile
    }
  }

  /** Those that have left meanwhile, or need little now, do not count. */
  private void sendToOneOfTheLarge() {
    boolean sent = false;
    while (!sent && !large.isEmpty()) {
      Proxy proxy = large.remove();
      proxy.queued = false;
      sent = proxy.mayHaveLargeResponse();
      proxy.sendResponses();
    }
  }
}
