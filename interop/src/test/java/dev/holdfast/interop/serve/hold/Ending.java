// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve.hold;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.envoy.Http;
import dev.holdfast.interop.serve.PlaneProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What has come of an {@link Incident}.
 *
 * @param searching whether more will come of it
 * @param held as NAME@GENERATION/SERVED REASON
 * @param said of each object whether it is programmed, which generation is served, and in words
 * @param answers what a client of each host sees
 */
record Ending(
    boolean searching,
    List<String> held,
    SortedMap<String, String> said,
    SortedMap<String, String> answers) {

  /** As it is now. */
  static Ending of(Incident incident, PlaneProcess plane, Http envoy) throws Exception {
    boolean searching = false;
    for (JsonElement element : plane.items("/api/v1/incidents")) {
      searching |= element.getAsJsonObject().get("tookMillis").isJsonNull();
    }
    List<String> held = new ArrayList<>();
    for (JsonElement element : plane.items("/api/v1/holds")) {
      JsonObject hold = element.getAsJsonObject();
      held.add(
          incident.ofAnyRound(
              "%s@%d/%d %s"
                  .formatted(
                      hold.get("name").getAsString(),
                      hold.get("generation").getAsLong(),
                      hold.get("servedGeneration").getAsLong(),
                      hold.get("reason").getAsString())));
    }
    SortedMap<String, String> said = new TreeMap<>();
    plane
        .objects()
        .forEach(
            (key, object) -> said.put(incident.ofAnyRound(key), incident.ofAnyRound(said(object))));
    SortedMap<String, String> answers = new TreeMap<>();
    for (String host : incident.hosts()) {
      Http.Response response = envoy.get("/").host(host).send();
      answers.put(incident.ofAnyRound(host), (response.status() + " " + response.backend()).trim());
    }
    return new Ending(searching, held, said, answers);
  }

  private static String said(JsonObject object) {
    JsonObject programmed = PlaneProcess.condition(object, "Programmed");
    return "%s %d/%d %s"
        .formatted(
            PlaneProcess.programmed(object),
            object.get("servedGeneration").getAsLong(),
            object.get("generation").getAsLong(),
            programmed.has("message") ? programmed.get("message").getAsString() : "");
  }

  /** Whether something has come of it, and nobody is to be told anything more. */
  boolean isFinal() {
    return !searching
        && !held.isEmpty()
        && said.values().stream().noneMatch(words -> words.startsWith("Unknown"));
  }
}
