// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.demo.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The admin API, as far as the demo asks it. */
public final class AdminApi {
  private static final int MILLIS = 10_000;

  private final String address;

  AdminApi(int port) {
    address = "http://127.0.0.1:" + port;
  }

  /** Where it is, for people and browsers. */
  public String address() {
    return address;
  }

  /** All objects, in the order of kind and name. */
  public List<ObjectState> objects() throws IOException {
    return items("/api/v1/objects").stream().map(ObjectState::of).toList();
  }

  /** One that must be there. */
  public ObjectState object(String kind, String namespace, String name) throws IOException {
    return ObjectState.of(get("/api/v1/objects/" + kind + "/" + namespace + "/" + name));
  }

  /** Those that are held, KIND/NAME. */
  public List<String> held() throws IOException {
    return items("/api/v1/holds").stream()
        .map(hold -> hold.get("kind").getAsString() + "/" + hold.get("name").getAsString())
        .toList();
  }

  /** Whether an Envoy that serves nobody is asked about every change. */
  public boolean hasScoutToAsk() throws IOException {
    return items("/api/v1/proxies").stream()
        .filter(proxy -> proxy.has("scout"))
        .anyMatch(proxy -> proxy.getAsJsonObject("scout").get("idle").getAsString().isEmpty());
  }

  /** The newest search, once it is over. */
  public Optional<Incident> lastIncident() throws IOException {
    return items("/api/v1/incidents").stream()
        .limit(1)
        .filter(Incident::isOver)
        .map(Incident::of)
        .findFirst();
  }

  boolean isReady() {
    try {
      HttpURLConnection connection = open("/readyz");
      try {
        return connection.getResponseCode() == 200;
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      return false;
    }
  }

  private List<JsonObject> items(String path) throws IOException {
    List<JsonObject> items = new ArrayList<>();
    for (JsonElement element : get(path).getAsJsonArray("items")) {
      items.add(element.getAsJsonObject());
    }
    return items;
  }

  private JsonObject get(String path) throws IOException {
    HttpURLConnection connection = open(path);
    try (InputStreamReader reader = new InputStreamReader(connection.getInputStream(), UTF_8)) {
      return JsonParser.parseReader(reader).getAsJsonObject();
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection open(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(address + path).toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(MILLIS);
    connection.setReadTimeout(MILLIS);
    return connection;
  }
}
