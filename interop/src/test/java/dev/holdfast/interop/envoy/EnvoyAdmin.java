// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import static java.util.Objects.requireNonNull;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Envoy's admin port. A wait that is in vain ends in an error that shows the end of Envoy's log.
 */
public final class EnvoyAdmin {
  private final Http http;
  private final Supplier<String> log;

  EnvoyAdmin(int port, Supplier<String> log) {
    this.http = Http.on(port);
    this.log = log;
  }

  /** Whether its workers have started, which needs an answer to the first CDS and LDS. */
  public boolean isReady() {
    return http.get("/ready").send().status() == 200;
  }

  public void awaitReady() {
    await("Envoy is ready", this::isReady);
  }

  /** The body of any page. */
  public String get(String path) {
    Http.Response response = http.get(path).send();
    if (response.status() != 200) {
      throw new AssertionError(path + ": " + response.status() + " " + response.body());
    }
    return response.body();
  }

  public JsonObject json(String path) {
    return JsonParser.parseString(get(path)).getAsJsonObject();
  }

  /** Changes something, such as {@code /reset_counters}. */
  public void post(String path) {
    http.post(path, "").send();
  }

  /**
   * One list of the configuration that is in force: {@code dynamic_listeners}, {@code
   * dynamic_active_clusters}, {@code dynamic_warming_clusters}, {@code dynamic_route_configs},
   * {@code dynamic_endpoint_configs}, {@code dynamic_active_secrets}.
   */
  public List<JsonObject> configDump(String resource) {
    List<JsonObject> entries = new ArrayList<>();
    JsonObject dump = json("/config_dump?include_eds&resource=" + resource);
    if (dump.has("configs")) {
      dump.getAsJsonArray("configs").forEach(entry -> entries.add(entry.getAsJsonObject()));
    }
    return entries;
  }

  /** A counter or gauge; 0 if Envoy does not have it (yet). */
  public long stat(String name) {
    String filter = URLEncoder.encode("^" + Pattern.quote(name) + "$", StandardCharsets.UTF_8);
    // Pattern.quote writes \Q...\E, which RE2 understands, too.
    for (JsonElement entry : json("/stats?format=json&filter=" + filter).getAsJsonArray("stats")) {
      JsonObject stat = entry.getAsJsonObject();
      if (stat.has("name") && stat.get("name").getAsString().equals(name)) {
        return stat.get("value").getAsLong();
      }
    }
    return 0;
  }

  /** Waits until a counter or gauge is as wanted. */
  public void awaitStat(String name, LongPredicate wanted) {
    await(name + " is as wanted", () -> wanted.test(stat(name)));
  }

  /** The port of a listener that is in force. */
  public OptionalInt listenerPort(String name) {
    InetSocketAddress listener = listener(name);
    return listener == null ? OptionalInt.empty() : OptionalInt.of(listener.getPort());
  }

  /** Where a listener is that is in force; null if there is none. */
  private @Nullable InetSocketAddress listener(String name) {
    JsonObject listeners = json("/listeners?format=json");
    if (listeners.has("listener_statuses")) {
      for (JsonElement entry : listeners.getAsJsonArray("listener_statuses")) {
        JsonObject listener = entry.getAsJsonObject();
        if (listener.get("name").getAsString().equals(name)) {
          JsonObject address =
              listener.getAsJsonObject("local_address").getAsJsonObject("socket_address");
          return new InetSocketAddress(
              address.get("address").getAsString(), address.get("port_value").getAsInt());
        }
      }
    }
    return null;
  }

  /**
   * Waits as {@link #awaitListenerPort} does. A listener that has an address of its own, as those
   * of scouts have, is at no other one.
   */
  public InetSocketAddress awaitListener(String name) {
    awaitListenerPort(name);
    InetSocketAddress found = requireNonNull(listener(name));
    return found.getAddress().isAnyLocalAddress()
        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), found.getPort())
        : found;
  }

  /** Waits until Envoy serves and a listener is in force. */
  public int awaitListenerPort(String name) {
    awaitReady();
    await("listener " + name + " is active", () -> listenerPort(name).isPresent());
    return listenerPort(name).getAsInt();
  }

  /** The endpoints ({@code address:port}) of a cluster that is in force, in Envoy's order. */
  public List<String> endpoints(String cluster) {
    List<String> endpoints = new ArrayList<>();
    for (JsonElement entry : json("/clusters?format=json").getAsJsonArray("cluster_statuses")) {
      JsonObject status = entry.getAsJsonObject();
      if (status.get("name").getAsString().equals(cluster) && status.has("host_statuses")) {
        for (JsonElement host : status.getAsJsonArray("host_statuses")) {
          JsonObject address =
              host.getAsJsonObject().getAsJsonObject("address").getAsJsonObject("socket_address");
          endpoints.add(
              address.get("address").getAsString() + ":" + address.get("port_value").getAsInt());
        }
      }
    }
    return endpoints;
  }

  /** Waits for anything. */
  public void await(String what, Callable<Boolean> condition) {
    try {
      org.awaitility.Awaitility.await(what)
          .dontCatchUncaughtExceptions()
          .atMost(EnvoyProcess.PATIENCE)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(10))
          .until(condition);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(e.getMessage() + "\n" + log.get(), e);
    }
  }
}
