// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import dev.holdfast.base.Loop;
import java.util.ArrayList;
import java.util.List;

/** Proxies that there may be something to say to, when everything of a turn is known. Loop only. */
final class SendQueue {
  private final Loop loop;
  private List<Proxy> proxies = new ArrayList<>();

  SendQueue(Loop loop) {
    this.loop = loop;
  }

  void add(Proxy proxy) {
    if (proxies.isEmpty()) {
      loop.atEndOfTurn(this::pump);
    }
    if (!proxy.queuedToSend) {
      proxy.queuedToSend = true;
      proxies.add(proxy);
    }
  }

  private void pump() {
    List<Proxy> now = proxies;
    proxies = new ArrayList<>();
    now.forEach(proxy -> proxy.queuedToSend = false);
    now.forEach(Proxy::pump);
  }
}
