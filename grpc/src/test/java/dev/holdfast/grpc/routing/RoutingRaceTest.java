// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.retry.TimedRetries;
import io.grpc.InternalConfigSelector.Result;
import io.grpc.NameResolver.ConfigOrError;
import io.grpc.NameResolver.ServiceConfigParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Calls on several threads while routes change: each holds a cluster that is there. */
class RoutingRaceTest {
  private static final int THREADS = 3;
  private static final int CHANGES = 2_000;

  private final Map<String, Integer> subscribed = new ConcurrentHashMap<>();
  private final CallRouter router =
      new CallRouter(
          cluster -> {
            subscribed.merge(cluster, 1, Integer::sum);
            return () -> subscribed.computeIfPresent(cluster, (name, n) -> n == 1 ? null : n - 1);
          },
          new MethodConfigs(
              new ServiceConfigParser() {
                @Override
                public ConfigOrError parseServiceConfig(Map<String, ?> raw) {
                  return ConfigOrError.fromConfig(raw);
                }
              }),
          new TimedRetries(
              () -> {
                throw new AssertionError("a timer");
              }),
          Routing.filters(ThreadSafeRandom.system()),
          ThreadSafeRandom.system());

  @Test
  void callsAndChangesOfRoutesDoNotGetInEachOthersWay() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      use("c0");
      List<Future<Integer>> callers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        callers.add(pool.submit((Callable<Integer>) () -> callUntil(over)));
      }
      for (int i = 1; i <= CHANGES; i++) {
        use("c" + i % 3);
      }
      over.set(true);
      for (Future<Integer> caller : callers) {
        assertThat(caller.get()).isPositive();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(subscribed).containsExactly(Map.entry("c" + CHANGES % 3, 1));
    router.stop();
    assertThat(subscribed).isEmpty();
  }

  private int callUntil(AtomicBoolean over) {
    int calls = 0;
    while (!over.get() || calls == 0) {
      FakePick pick = new FakePick("S/M");
      Result result = router.selectConfig(pick);
      FakeCalls call = Routing.start(result, "S/M");
      RoutedCall routed = call.options().getOption(RoutedCall.KEY);
      assertThat(routed).isNotNull();
      assertThat(subscribed).containsKey(routed.cluster());
      call.headers();
      call.close();
      calls++;
    }
    return calls;
  }

  private void use(String cluster) {
    router.use(
        new Routing()
            .config(
                "\"routes\": [{\"match\": {\"prefix\": \"\"}, \"route\": {\"cluster\": \""
                    + cluster
                    + "\"}}]"),
        () -> {});
  }
}
