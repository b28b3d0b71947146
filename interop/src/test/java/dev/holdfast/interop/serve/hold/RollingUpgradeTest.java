// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fleet of Envoys is restarted, one after the other, while authors edit. An Envoy that goes for
 * reasons of its own gets nothing held and costs no request of another one.
 */
class RollingUpgradeTest {
  private static final int FLEET = 6;
  private static final long BETWEEN_EDITS = TimeUnit.MILLISECONDS.toNanos(50);

  @ParameterizedTest
  @ValueSource(strings = {"delta", "sotw"})
  void nothingIsHeldAndNoRequestFails(String protocol) throws InterruptedException {
    List<SupervisedEnvoy> envoys = new ArrayList<>();
    try (Backend one = Backend.start("one");
        Backend two = Backend.start("two");
        Plane plane =
            Plane.start(
                "services.yaml",
                Docs.of(Yaml.service("one", one.port()), Yaml.service("two", two.port())),
                "steady.yaml",
                Hosts.good("steady", "one"),
                "edited.yaml",
                edited(0))) {
      try {
        EnvoyBootstrap bootstrap =
            protocol.equals("delta")
                ? EnvoyBootstrap.delta(plane.xdsPort())
                : EnvoyBootstrap.sotw(plane.xdsPort());
        for (int i = 1; i <= FLEET; i++) {
          envoys.add(new SupervisedEnvoy(bootstrap.node("e" + i), Hosts.fqdn("steady")));
        }
        plane.awaitProgrammed("ExtensionPolicy/default/edited", 1);
        Plane.await("all answer", () -> envoys.stream().allMatch(e -> e.answered() > 10));

        Edits edits = new Edits(plane);
        edits.thread.start();
        for (int round = 0; round < 2; round++) {
          envoys.forEach(SupervisedEnvoy::upgrade);
        }
        edits.stop();

        assertThat(edits.held).isEmpty();
        assertThat(edits.count.get()).isGreaterThan(10);
        plane.awaitProgrammed("HTTPProxy/default/edited", edits.count.get() + 1L);
        plane.awaitProgrammed("ExtensionPolicy/default/edited", edits.count.get() + 1L);
        for (SupervisedEnvoy envoy : envoys) {
          assertThat(envoy.failed()).as(envoy.node()).isEmpty();
          assertThat(envoy.deaths()).as(envoy.node()).isZero();
        }
        System.out.printf(
            "rolling upgrade over %s: %d restarts, %d edits, %d answers%n",
            protocol,
            2 * FLEET,
            2 * edits.count.get(),
            envoys.stream().mapToInt(SupervisedEnvoy::answered).sum());
      } finally {
        envoys.forEach(SupervisedEnvoy::close);
      }
    }
  }

  /** A host and its policy; each number makes another generation of both. */
  private static String edited(int number) {
    return Docs.of(
        Hosts.good("edited", number % 2 == 0 ? "one" : "two"),
        Docs.policy(
            "edited",
            """
            targetRef: {name: edited}
            perRoute:
            - name: envoy.filters.http.lua
              typedConfig:
                "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
                source_code: {inline_string: "function envoy_on_response(h) local n = %d end"}
            """
                .formatted(number)));
  }

  /** An author who edits all the time, and sees whatever is held. */
  private static final class Edits implements Runnable {
    final AtomicInteger count = new AtomicInteger();
    final ConcurrentLinkedQueue<String> held = new ConcurrentLinkedQueue<>();
    final Thread thread = new Thread(this, "author");
    private final Plane plane;
    private volatile boolean stopped;

    Edits(Plane plane) {
      this.plane = plane;
    }

    @Override
    public void run() {
      while (!stopped) {
        plane.write("edited.yaml", edited(count.get() + 1));
        long number = count.incrementAndGet() + 1L;
        Plane.await("edit " + number, () -> isSeen(number));
        plane.items("/api/v1/holds").forEach(hold -> held.add(hold.toString()));
        LockSupport.parkNanos(BETWEEN_EDITS);
      }
    }

    private boolean isSeen(long number) {
      return plane.said("ExtensionPolicy/default/edited", "Programmed").generation() == number;
    }

    void stop() throws InterruptedException {
      stopped = true;
      thread.join();
    }
  }
}
