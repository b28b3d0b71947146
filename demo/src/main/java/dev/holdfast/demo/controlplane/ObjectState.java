// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.controlplane;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;

/**
 * What the control plane says of an object.
 *
 * @param programmed status of the condition {@code Programmed}: True, False or Unknown
 * @param reason and message are those of that condition
 * @param accepted how many proxies run what it says now, of {@code proxies} that it concerns
 */
public record ObjectState(
    String kind,
    String name,
    long generation,
    long servedGeneration,
    String programmed,
    String reason,
    String message,
    int accepted,
    int proxies) {

  static ObjectState of(JsonObject json) {
    JsonObject condition = new JsonObject();
    for (JsonElement element : json.getAsJsonArray("conditions")) {
      if (element.getAsJsonObject().get("type").getAsString().equals("Programmed")) {
        condition = element.getAsJsonObject();
      }
    }
    JsonObject proxies = json.getAsJsonObject("proxies");
    return new ObjectState(
        json.get("kind").getAsString(),
        json.get("name").getAsString(),
        json.get("generation").getAsLong(),
        json.get("servedGeneration").getAsLong(),
        text(condition, "status"),
        text(condition, "reason"),
        text(condition, "message"),
        proxies.get("programmed").getAsInt(),
        proxies.get("total").getAsInt());
  }

  private static String text(JsonObject json, String field) {
    return json.has(field) ? json.get(field).getAsString() : "";
  }

  /** Whether every proxy that it concerns runs what it says now. */
  public boolean isProgrammed() {
    return programmed.equals("True");
  }

  /** KIND/NAME. */
  public String id() {
    return kind + "/" + name;
  }
}
