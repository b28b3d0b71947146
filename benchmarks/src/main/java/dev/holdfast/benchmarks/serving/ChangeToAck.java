// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.serving;

import dev.holdfast.benchmarks.client.Protocol;
import dev.holdfast.benchmarks.proxies.Proxies;
import dev.holdfast.benchmarks.proxies.Subscription;
import dev.holdfast.benchmarks.report.Samples;
import dev.holdfast.benchmarks.servers.Objects;
import dev.holdfast.benchmarks.servers.Port;
import dev.holdfast.benchmarks.servers.WholeControlPlane;
import dev.holdfast.config.ConfigObject;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One host changes, of many that share a route configuration: from the moment when a whole control
 * plane is handed the object until it has the answer of its only proxy.
 */
final class ChangeToAck {
  private static final int MOST_SERVICES = 100;

  /** What follows a change, such as writing the status down, belongs to nobody's wait. */
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(15);

  private ChangeToAck() {}

  /** The milliseconds of each change. */
  static Samples millis(Protocol protocol, int hosts, int warmups, int changes) {
    int services = Math.min(hosts, MOST_SERVICES);
    List<Subscription> asks = Subscription.ALL;
    try (WholeControlPlane plane = new WholeControlPlane(Objects.hosts(hosts, services));
        Port port = Port.ofHoldfast(plane.services());
        Proxies proxies = new Proxies(port.number(), protocol, asks, /* judge= */ null)) {
      proxies.connect(1);
      long requests = 2L * asks.size(); // each was asked for, answered and accepted
      double[] millis = new double[changes];
      for (int i = -warmups; i < changes; i++) {
        port.arrivals().await(requests);
        LockSupport.parkNanos(PAUSE);
        ConfigObject object = host(i + warmups, hosts, services);
        long start = System.nanoTime();
        plane.change(object);
        requests++;
        port.arrivals().await(requests);
        if (i >= 0) {
          millis[i] = (System.nanoTime() - start) / 1e6;
        }
      }
      LockSupport.parkNanos(PAUSE);
      if (port.arrivals().count() != requests) {
        throw new IllegalStateException(
            port.arrivals().count() + " requests (expected: " + requests + ", one ACK a change)");
      }
      return new Samples(millis);
    }
  }

  /** One after the other, each different from what it was. */
  static ConfigObject host(int change, int hosts, int services) {
    int index = (int) (change * 7919L % hosts);
    return Objects.host(index, index % services, 100 + change).with(2L + change, Instant.EPOCH);
  }
}
