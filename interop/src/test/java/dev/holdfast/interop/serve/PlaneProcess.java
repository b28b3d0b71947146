// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.interop.LineProcess;
import dev.holdfast.testkit.ReservedPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A control plane in a process of its own, that is stopped, killed and started again. */
public final class PlaneProcess implements AutoCloseable {
  private final Path root;
  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable LineProcess process;
  private int xdsPort = ReservedPorts.next();
  private int adminPort;
  private boolean vhds;

  /**
   * @param root holds the state and, in {@code objects}, the files
   */
  public PlaneProcess(Path root) {
    this.root = root;
    try {
      Files.createDirectories(root.resolve("objects"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** From the next start on, proxies that take it get hosts one by one, or they do not. */
  public PlaneProcess withVhds(boolean how) {
    vhds = how;
    return this;
  }

  /** Starts it and waits until it serves; always on the same port. */
  public void up() throws Exception {
    up(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
  }

  /** The same with other options for Java. */
  public void up(List<String> javaOptions) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(javaOptions);
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            PlaneMain.class.getName(),
            root.resolve("objects").toString(),
            root.resolve("state.db").toString(),
            Integer.toString(xdsPort)));
    if (vhds) {
      command.add("vhds");
    }
    LineProcess started = new LineProcess(root, command);
    process = started;
    String[] ready = started.await("ready", line -> line.startsWith("ready ")).split(" ", -1);
    xdsPort = Integer.parseInt(ready[1]);
    adminPort = Integer.parseInt(ready[2]);
  }

  /** Ends it, by a signal of this name. */
  public void end(String signal) throws Exception {
    LineProcess running = process;
    if (running != null) {
      running.signal(signal);
      running.exitCode();
      running.close();
    }
    process = null;
  }

  /** The process that is up. */
  public long pid() {
    if (process == null) {
      throw new IllegalStateException("the control plane is down");
    }
    return process.pid();
  }

  public int xdsPort() {
    return xdsPort;
  }

  public int adminPort() {
    return adminPort;
  }

  /** Puts a file in place at once, or takes it away if there is no text. */
  public void write(String name, @Nullable String text) {
    Path file = root.resolve("objects").resolve(name);
    try {
      if (text == null) {
        Files.delete(file);
        return;
      }
      Path next = root.resolve("next");
      Files.writeString(next, text);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of a page of the admin port. */
  public String text(String path) throws Exception {
    return http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** Has the admin port do something; the result is the status. */
  public int post(String path) throws Exception {
    return http.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  public JsonArray items(String path) throws Exception {
    return JsonParser.parseString(text(path)).getAsJsonObject().getAsJsonArray("items");
  }

  /** All objects as they are reported, by KIND/NAME. */
  public SortedMap<String, JsonObject> objects() throws Exception {
    SortedMap<String, JsonObject> objects = new TreeMap<>();
    for (JsonElement element : items("/api/v1/objects")) {
      JsonObject object = element.getAsJsonObject();
      objects.put(
          object.get("kind").getAsString() + "/" + object.get("name").getAsString(), object);
    }
    return objects;
  }

  /** The sum of a metric over all labels. */
  public double metric(String name) throws Exception {
    return sum(text("/metrics"), name);
  }

  /** The same of metrics that were read together. */
  static double sum(String metrics, String name) {
    double sum = 0;
    for (String line : metrics.lines().toList()) {
      if (line.startsWith(name + "{") || line.startsWith(name + " ")) { // with labels or without
        sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
      }
    }
    return sum;
  }

  /** What is said of an object on one question; an empty object if nothing is. */
  public static JsonObject condition(JsonObject object, String type) {
    for (JsonElement element : object.getAsJsonArray("conditions")) {
      JsonObject condition = element.getAsJsonObject();
      if (condition.get("type").getAsString().equals(type)) {
        return condition;
      }
    }
    return new JsonObject();
  }

  /** Such as {@code True/Programmed}; empty if nothing is said. */
  public static String programmed(@Nullable JsonObject object) {
    JsonObject condition = object == null ? new JsonObject() : condition(object, "Programmed");
    return condition.has("status")
        ? condition.get("status").getAsString() + "/" + condition.get("reason").getAsString()
        : "";
  }

  @Override
  public void close() {
    if (process != null) {
      process.close();
    }
  }
}
