// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Docs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One author makes five mistakes a second, each another one; others hardly notice. */
class FlappingTest {
  private static final int EDITS = 9;

  /** The machine has other things to do, and files are looked at together. */
  private static final double GENEROUS = 5;

  @ParameterizedTest
  @ValueSource(strings = {"real delta", "real sotw"})
  void othersEditsTakeAsLongAsEver(String kind) throws Exception {
    try (Scene scene = Scene.start(kind, "flap.yaml", Hosts.good("flap", "one"))) {
      scene.plane().write("calm.yaml", calm(0));
      scene.plane().awaitProgrammed("HTTPProxy/default/calm", 1);
      scene.plane().awaitProgrammed("HTTPProxy/default/flap", 1);
      edits(scene, 1); // warms up
      double alone = edits(scene, 1 + EDITS);

      AtomicInteger mistakes = new AtomicInteger();
      ScheduledExecutorService author = Executors.newSingleThreadScheduledExecutor();
      double beside;
      try {
        ScheduledFuture<?> flapping =
            author.scheduleAtFixedRate(
                () -> scene.plane().write("flap.yaml", mistake(mistakes.incrementAndGet())),
                0,
                200,
                TimeUnit.MILLISECONDS);
        scene.plane().awaitSaid("HTTPProxy/default/flap", "Programmed", "Rejected");
        beside = edits(scene, 1 + 2 * EDITS);
        assertThat(flapping.isDone()).as("still making mistakes").isFalse();
      } finally {
        author.shutdown();
        author.awaitTermination(60, TimeUnit.SECONDS);
      }
      System.out.printf(
          "flapping: %s: median time to Programmed %.0f ms alone, %.0f ms beside %d mistakes%n",
          kind, alone, beside, mistakes.get());
      assertThat(beside).isLessThan(GENEROUS * alone);
      scene.awaitGet(Hosts.fqdn("flap"), "/", "200 one");
      assertThat(scene.nacks()).isGreaterThan(2);
    }
  }

  /** The median time that it takes until an edit is served, in milliseconds. */
  private static double edits(Scene scene, int first) {
    List<Double> times = new ArrayList<>();
    for (int i = first; i < first + EDITS; i++) {
      long began = System.nanoTime();
      scene.plane().write("calm.yaml", calm(i));
      scene.plane().awaitProgrammed("HTTPProxy/default/calm", i + 1);
      times.add((System.nanoTime() - began) / 1e6);
    }
    Collections.sort(times);
    return times.get(times.size() / 2);
  }

  private static String calm(int number) {
    return Docs.proxy(
        "calm",
        """
        virtualhost: {fqdn: %s}
        routes: [{directResponsePolicy: {statusCode: 200, body: "%d"}}]
        """
            .formatted(Hosts.fqdn("calm"), number));
  }

  private static String mistake(int number) {
    return Hosts.bad("flap", "two").replace("{1,200}", "{1," + (200 + number) + "}");
  }
}
