// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.PlaneProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A thousand new hosts in one edit, some of them bad, while clients ask for hosts that were there
 * before. What Envoy says of the bad ones points at nobody, so that the search has to find them.
 * {@code -Dholdfast.bad=50} asks for other numbers of them.
 */
@ParameterizedClass
@CsvSource(
    delimiter = '|',
    value = {"real delta | 0,1,2,5,20", "real sotw | 0,1,2,5,20"})
record ThousandTest(String kind, String counts) {
  private static final int N = 1_000;
  private static final int OLD = 20;

  /** Twenty bad ones take two hundred pushes, on a machine that may have other things to do. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @SuppressWarnings("NullAway.Init") // before the first test
  private static Scene scene;

  @SuppressWarnings("NullAway.Init") // before the first test
  private static Load load;

  @BeforeParameterizedClassInvocation
  static void start(String kind, String counts) {
    List<String> old = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < OLD; i++) {
      old.add(Hosts.fqdn("old" + i));
      text.append("---\n").append(Hosts.good("old" + i, "one"));
    }
    scene = Scene.start(kind, "old.yaml", text.substring(4));
    for (int i = 0; i < OLD; i++) {
      scene.awaitGet(Hosts.fqdn("old" + i), "/", "200 one");
    }
    // Envoy serves them before it has said so, and what is counted below is what is said.
    Plane.await("everybody is told", ThousandTest::isEverybodyTold);
    load = new Load(((Peer.Real) scene.peer()).envoy().http("ingress_http").port(), old);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    load.close();
    scene.close();
  }

  private static Set<String> bad(int count) {
    Set<String> names = new TreeSet<>();
    Random random = new Random(count);
    while (names.size() < count) {
      names.add(name(count, random.nextInt(N)));
    }
    return names;
  }

  private static String name(int count, int index) {
    return "k%d-%03d".formatted(count, index);
  }

  private static boolean isEverybodyTold() {
    return said("Programmed") >= OLD
        && scene.plane().items("/api/v1/objects").stream()
            .map(PlaneProcess::programmed)
            .allMatch(said -> said.equals("True/Programmed") || said.equals("False/NotReferenced"));
  }

  private static long said(String reason) {
    return scene.plane().metric("holdfast_objects_programmed{reason=\"" + reason + "\"}");
  }

  @Test
  void exactlyTheBadOnesAreHeldWithinTheBoundAndNobodyElseIsTouched() {
    for (String count : System.getProperty("holdfast.bad", counts).split(",", -1)) {
      play(Integer.parseInt(count));
    }
  }

  private void play(int count) {
    Set<String> bad = bad(count);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < N; i++) {
      String name = name(count, i);
      text.append("---\n")
          .append(bad.contains(name) ? Hosts.badWithoutAWord(name) : Hosts.good(name, "one"));
    }
    long programmed = said("Programmed");
    long nacks = scene.nacks();
    long requests = load.requests();
    int incidents = scene.incidents().size();

    long began = System.nanoTime();
    scene.plane().write("many.yaml", text.substring(4));
    Awaitility.await("all but the bad ones are programmed")
        .dontCatchUncaughtExceptions()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(List.of(said("Programmed"), said("RejectedNew")))
                    .isEqualTo(List.of(programmed + N - count, (long) count)));
    double seconds = (System.nanoTime() - began) / 1e9;

    List<JsonObject> news = scene.incidents();
    news = news.subList(0, news.size() - incidents);
    long pushes = news.stream().mapToLong(incident -> incident.get("pushes").getAsLong()).sum();
    double searched =
        news.stream().mapToDouble(incident -> incident.get("tookMillis").getAsDouble()).sum();
    assertThat(scene.held())
        .containsExactlyElementsOf(bad.stream().map(name -> name + "@1/0 RejectedNew").toList());
    int bound = count * (32 - Integer.numberOfLeadingZeros(N - 1) + 1);
    assertThat(pushes).isLessThanOrEqualTo(bound);
    assertThat(scene.nacks() - nacks).as("rejections").isEqualTo(refusals(news));
    for (int i = 0; i < N; i += 97) {
      String name = name(count, i);
      scene.awaitGet(Hosts.fqdn(name), "/", bad.contains(name) ? "404" : "200 one");
    }
    assertThat(load.failures()).isEmpty();
    assertThat(load.requests()).isGreaterThan(requests);
    System.out.printf(
        "thousand: %s, %d bad: %d pushes after the rejection (bound %d), searching %.0f ms, from"
            + " the edit to the last status %.2f s, %d requests%n",
        kind, count, pushes, bound, searched, seconds, load.requests() - requests);

    scene.plane().delete("many.yaml");
    Plane.await(
        "they are gone",
        () -> {
          scene.plane().confirmDeletions();
          return said("Programmed") == programmed && scene.held().isEmpty();
        });
  }

  /** How many trials were refused. */
  private static long refusals(List<JsonObject> incidents) {
    return incidents.stream()
        .flatMap(incident -> incident.getAsJsonArray("steps").asList().stream())
        .filter(step -> step.getAsString().startsWith("refused"))
        .count();
  }
}
