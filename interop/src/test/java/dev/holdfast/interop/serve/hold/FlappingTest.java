// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One author makes five mistakes a second, each another one; others hardly notice. */
class FlappingTest {
  /** By turns, because a machine that has other things to do has more of them at times. */
  private static final int ROUNDS = 5;

  private static final int EDITS = 3;

  /** The machine has other things to do, and files are looked at together. */
  private static final double GENEROUS = 5;

  @ParameterizedTest
  @ValueSource(strings = {"real delta", "real sotw"})
  void othersEditsTakeAsLongAsEver(String kind) throws Exception {
    try (Scene scene = Scene.start(kind, "flap.yaml", Hosts.good("flap", "one"))) {
      scene.plane().write("calm.yaml", calm(0));
      scene.plane().awaitProgrammed("HTTPProxy/default/calm", 1);
      scene.plane().awaitProgrammed("HTTPProxy/default/flap", 1);
      AtomicInteger numbers = new AtomicInteger();
      for (int i = 0; i < ROUNDS; i++) {
        edits(scene, numbers); // warms up
      }

      AtomicBoolean flapping = new AtomicBoolean();
      AtomicInteger mistakes = new AtomicInteger();
      List<Double> alone = new ArrayList<>();
      List<Double> beside = new ArrayList<>();
      ScheduledExecutorService author = Executors.newSingleThreadScheduledExecutor();
      try {
        ScheduledFuture<?> mistaken =
            author.scheduleAtFixedRate(
                () -> {
                  if (flapping.get()) {
                    scene.plane().write("flap.yaml", mistake(mistakes.incrementAndGet()));
                  }
                },
                0,
                200,
                TimeUnit.MILLISECONDS);
        for (int i = 0; i < ROUNDS; i++) {
          alone.addAll(edits(scene, numbers));
          long nacks = scene.nacks();
          flapping.set(true);
          Plane.await("a mistake is refused", () -> scene.nacks() > nacks);
          beside.addAll(edits(scene, numbers));
          flapping.set(false);
          scene.incidents(); // until no search is under way
        }
        assertThat(mistaken.isDone()).as("still making mistakes").isFalse();
      } finally {
        author.shutdown();
        author.awaitTermination(60, TimeUnit.SECONDS);
      }
      System.out.printf(
          "flapping: %s: median time to Programmed %.0f ms alone, %.0f ms beside %d mistakes%n",
          kind, median(alone), median(beside), mistakes.get());
      assertThat(median(beside)).isLessThan(GENEROUS * median(alone));
      scene.awaitGet(Hosts.fqdn("flap"), "/", "200 one");
      assertThat(scene.nacks()).isGreaterThan(2);
    }
  }

  /** How long it takes until edits are served, in milliseconds. */
  private static List<Double> edits(Scene scene, AtomicInteger numbers) {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < EDITS; i++) {
      int number = numbers.incrementAndGet();
      long began = System.nanoTime();
      scene.plane().write("calm.yaml", calm(number));
      scene.plane().awaitProgrammed("HTTPProxy/default/calm", number + 1);
      times.add((System.nanoTime() - began) / 1e6);
    }
    return times;
  }

  private static double median(List<Double> times) {
    List<Double> sorted = new ArrayList<>(times);
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
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
