// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.base.Loop;
import java.util.ArrayList;
import java.util.List;

/**
 * The proxies that may be sent something, once all events of this turn of the loop are known. Loop
 * only.
 */
public final class SendQueue {
  private final Loop loop;
  private List<Proxy> proxies = new ArrayList<>();

  public SendQueue(Loop loop) {
    this.loop = loop;
  }

  /** Queues a proxy unless there is nothing to send to it. */
  public void add(Proxy proxy) {
    if (!proxy.mayHaveResponse()) {
      return;
    }
    if (proxies.isEmpty()) {
      loop.atEndOfTurn(this::sendAll);
    }
    if (!proxy.queued) {
      proxy.queued = true;
      proxies.add(proxy);
    }
  }

  private void sendAll() {
    List<Proxy> queued = proxies;
    proxies = new ArrayList<>();
    queued.forEach(proxy -> proxy.queued = false);
    queued.forEach(Proxy::sendResponses);
  }
}
