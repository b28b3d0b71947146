// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.controlplane;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A finished search for the offending object.
 *
 * @param by the class of the proxies that rejected the change
 * @param resource the rejected resource, TYPE NAME
 * @param message the proxy's error
 * @param trials all trials, including the first one, which was rejected
 * @param offendingObjects KIND/NAME of each
 */
public record Incident(
    String by,
    String resource,
    String message,
    List<Trial> trials,
    List<String> offendingObjects,
    double tookMillis) {
  public Incident {
    trials = List.copyOf(trials);
    offendingObjects = List.copyOf(offendingObjects);
  }

  /**
   * One selection that was sent to canaries.
   *
   * @param verdict accepted, refused or none
   */
  public record Trial(double afterMillis, int changes, String verdict) {}

  static boolean isOver(JsonObject json) {
    return !json.get("tookMillis").isJsonNull();
  }

  static Incident of(JsonObject json) {
    JsonObject resource = json.getAsJsonObject("resource");
    List<Trial> trials = new ArrayList<>();
    for (JsonElement element : json.getAsJsonArray("trials")) {
      JsonObject trial = element.getAsJsonObject();
      trials.add(
          new Trial(
              trial.get("afterMillis").getAsDouble(),
              trial.get("changes").getAsInt(),
              trial.get("verdict").getAsString()));
    }
    List<String> offendingObjects = new ArrayList<>();
    for (JsonElement element : json.getAsJsonArray("offendingObjects")) {
      JsonObject object = element.getAsJsonObject();
      offendingObjects.add(
          object.get("kind").getAsString() + "/" + object.get("name").getAsString());
    }
    return new Incident(
        json.get("class").getAsString(),
        resource.get("type").getAsString() + " " + resource.get("name").getAsString(),
        json.get("message").getAsString(),
        trials,
        offendingObjects,
        json.get("tookMillis").getAsDouble());
  }
}
