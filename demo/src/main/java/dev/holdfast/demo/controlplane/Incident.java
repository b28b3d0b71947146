// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.controlplane;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * A search for the object to blame, after it ended.
 *
 * @param by the class of the proxies that refused
 * @param resource what they refused, TYPE NAME
 * @param message what they said
 * @param trials all, the first one refused included
 * @param culprits the objects to blame, KIND/NAME
 */
public record Incident(
    String by,
    String resource,
    String message,
    List<Trial> trials,
    List<String> culprits,
    double tookMillis) {
  public Incident {
    trials = List.copyOf(trials);
    culprits = List.copyOf(culprits);
  }

  /**
   * One selection that proxies were shown.
   *
   * @param answer accepted, refused or none
   */
  public record Trial(double afterMillis, int changes, String answer) {}

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
              trial.get("answer").getAsString()));
    }
    List<String> culprits = new ArrayList<>();
    for (JsonElement element : json.getAsJsonArray("culprits")) {
      JsonObject object = element.getAsJsonObject();
      culprits.add(object.get("kind").getAsString() + "/" + object.get("name").getAsString());
    }
    return new Incident(
        json.get("class").getAsString(),
        resource.get("type").getAsString() + " " + resource.get("name").getAsString(),
        json.get("message").getAsString(),
        trials,
        culprits,
        json.get("tookMillis").getAsDouble());
  }
}
