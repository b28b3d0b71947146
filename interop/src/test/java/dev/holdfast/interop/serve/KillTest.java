// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.testkit.TestCa;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server is killed again and again while files change: what it showed stays true, and no
 * generation is given twice. {@code -Dholdfast.kills=50} makes more of it.
 */
class KillTest {
  private static final int KILLS = Integer.getInteger("holdfast.kills", 5);
  private static final int EDITS = 20 * KILLS;
  private static final long SEED = Long.getLong("holdfast.seed", 1);

  @TempDir Path root;

  @Test
  void nothingThatWasShownIsTakenBack() throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    try (Backend one = Backend.start("b0");
        Backend two = Backend.start("b1");
        PlaneProcess plane = new PlaneProcess(root)) {
      RandomEdits edits =
          new RandomEdits(
              SEED,
              new TreeMap<>(Map.of("b0", one.port(), "b1", two.port())),
              TestCa.create("holdfast test"));
      edits.start().applyTo(plane);
      plane.up();
      try (EnvoyProcess envoy = EnvoyProcess.start(EnvoyBootstrap.delta(plane.xdsPort()))) {
        SortedMap<String, JsonObject> shown = Collections.emptySortedMap();
        for (int i = 0; i < EDITS; i++) {
          edits.next().applyTo(plane);
          for (int looks = random.nextInt(20); looks > 0; looks--) {
            shown = plane.objects();
          }
          if (i % 20 == 19) {
            plane.end("KILL");
            plane.up();
            SortedMap<String, JsonObject> after = plane.objects();
            shown.forEach((key, before) -> checkStillTrue(key, before, after.get(key)));
          }
        }
        assertThat(envoy.isAlive()).isTrue();
        plane.write("zz.yaml", Yaml.service("zz", 1));
        Plane.await(
            "everything is settled",
            () ->
                plane.objects().containsKey("Service/zz")
                    && plane.objects().values().stream()
                        .map(PlaneProcess::programmed)
                        .allMatch(
                            said ->
                                said.equals("True/Programmed")
                                    || said.equals("False/NotReferenced")));
        checkHistory(plane);
      }
    }
  }

  private static void checkStillTrue(
      String key, JsonObject before, @org.jspecify.annotations.Nullable JsonObject after) {
    if (after == null) {
      return; // its file has gone
    }
    assertThat(after.get("generation").getAsLong())
        .as("%s: generation, was %s", key, before)
        .isGreaterThanOrEqualTo(before.get("generation").getAsLong());
    // An edit that only the next process saw may be that nothing refers to the object any more.
    boolean isNeeded = !PlaneProcess.programmed(after).equals("False/NotReferenced");
    if (isNeeded && after.get("generation").equals(before.get("generation"))) {
      assertThat(after.get("servedGeneration").getAsLong())
          .as("%s: served, was %s, is %s", key, before, after)
          .isGreaterThanOrEqualTo(before.get("servedGeneration").getAsLong());
      if (PlaneProcess.programmed(before).startsWith("True")) {
        assertThat(PlaneProcess.programmed(after))
            .as("%s: was %s", key, before)
            .isIn(
                "True/Programmed",
                "Unknown/Pending",
                "Unknown/NoDataPlane"); // it has not asked for everything again yet
      }
    }
  }

  private static void checkHistory(PlaneProcess plane) throws Exception {
    List<JsonObject> entries = new ArrayList<>();
    for (JsonElement element : plane.items("/api/v1/history?limit=1000")) {
      entries.add(0, element.getAsJsonObject());
    }
    Map<String, Long> newest = new HashMap<>();
    int changes = 0;
    for (JsonObject entry : entries) {
      if (entry.get("object").isJsonNull()) {
        continue;
      }
      String key = entry.get("object").toString();
      long generation = entry.get("generation").getAsLong();
      long last = newest.getOrDefault(key, 0L);
      assertThat(generation).as(entry.toString()).isGreaterThanOrEqualTo(last);
      if (entry.get("kind").getAsString().equals("OBJECT_CHANGED")) {
        assertThat(generation).as(entry.toString()).isGreaterThan(last);
        changes++;
      }
      newest.put(key, generation);
    }
    assertThat(changes).isPositive();
  }
}
