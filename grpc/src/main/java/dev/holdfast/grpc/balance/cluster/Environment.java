// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.grpc.load.LoadReports;
import dev.holdfast.grpc.security.ClusterSecurity;
import io.grpc.LoadBalancerRegistry;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * What balancers take from outside of their channel.
 *
 * @param random gives a generator for use at once, on the thread that asks
 * @param registry where policies are found that others wrote
 * @param breakers the calls under way, of all channels that are to share one limit
 * @param security what secures connections to endpoints
 * @param loads where calls are counted whose numbers a server wants to know
 * @param nanoTime a clock that only goes forward
 */
public record Environment(
    Supplier<RandomGenerator> random,
    LoadBalancerRegistry registry,
    CircuitBreakers breakers,
    ClusterSecurity security,
    LoadReports loads,
    LongSupplier nanoTime) {

  private static final CircuitBreakers OF_THIS_PROCESS = new CircuitBreakers();

  /** One without load reports, in the machine's time. */
  public Environment(
      Supplier<RandomGenerator> random,
      LoadBalancerRegistry registry,
      CircuitBreakers breakers,
      ClusterSecurity security) {
    this(random, registry, breakers, security, LoadReports.NONE, System::nanoTime);
  }

  /** That of all channels of this process. */
  public static Environment ofThisProcess() {
    return new Environment(
        ThreadLocalRandom::current,
        LoadBalancerRegistry.getDefaultRegistry(),
        OF_THIS_PROCESS,
        ClusterSecurity.withoutProviders());
  }

  /** The same, with connections secured as this says. */
  public Environment with(ClusterSecurity other) {
    return new Environment(random, registry, breakers, other, loads, nanoTime);
  }

  /** The same, with calls counted there. */
  public Environment with(LoadReports other) {
    return new Environment(random, registry, breakers, security, other, nanoTime);
  }
}
