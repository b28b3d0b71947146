// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import dev.holdfast.grpc.config.Subscription;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** The clusters that anybody holds, by name. */
final class HeldClusters {
  private final ConcurrentMap<String, HeldCluster> held = new ConcurrentHashMap<>();
  private final Function<? super String, ? extends Subscription> subscriber;

  /**
   * @param subscriber keeps a cluster in the configuration
   */
  HeldClusters(Function<? super String, ? extends Subscription> subscriber) {
    this.subscriber = subscriber;
  }

  /** A cluster, held once more than before. Only from the loop. */
  HeldCluster hold(String name) {
    HeldCluster known = held.get(name);
    if (known != null && known.hold()) {
      return known;
    }
    AtomicReference<HeldCluster> self = new AtomicReference<>();
    Subscription subscription = subscriber.apply(name);
    HeldCluster fresh =
        new HeldCluster(
            name,
            () -> {
              held.remove(name, self.get());
              subscription.close();
            });
    self.set(fresh);
    held.put(name, fresh);
    return fresh;
  }
}
