// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.holdfast.cli.output.Times;
import dev.holdfast.xds.client.CacheEntry;
import dev.holdfast.xds.client.ResourceStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What some client knows of one resource, as {@code dump} and {@code xds status} show it.
 *
 * @param type the user's word for it, or the name of the type
 * @param state as gRFC A88 names it
 * @param cacheState the value of the metric label
 * @param version of the resource in use; null if there is none
 * @param cached whether a resource is in use
 * @param updated when the server last sent the resource in use
 */
record Entry(
    String type,
    String name,
    String state,
    String cacheState,
    @Nullable String version,
    boolean cached,
    @Nullable Problem problem,
    @Nullable Instant updated) {

  private static final Comparator<Entry> ORDER =
      Comparator.comparing(Entry::type).thenComparing(Entry::name);

  /**
   * What is wrong with it.
   *
   * @param code null if the client does not tell
   */
  record Problem(@Nullable String code, String message) {}

  /** One line of our own client's dump. */
  static Entry of(ResourceStatus status) {
    CacheEntry<?> entry = status.entry();
    CacheEntry.Cached<?> resource = entry.resource();
    CacheEntry.Failure failure = entry.failure();
    return new Entry(
        TypeAlias.forTypeUrl(status.type().typeUrl()),
        status.name(),
        entry.state().name(),
        entry.label(),
        resource == null ? null : resource.version(),
        resource != null,
        failure == null ? null : problem(failure),
        resource == null ? null : resource.updated());
  }

  private static Problem problem(CacheEntry.Failure failure) {
    String message = failure.status().getDescription();
    return new Problem(failure.status().getCode().name(), message == null ? "" : message);
  }

  /** By type, then by name. */
  static List<Entry> sorted(List<Entry> entries) {
    return entries.stream().sorted(ORDER).toList();
  }

  static JsonArray json(List<Entry> entries) {
    JsonArray array = new JsonArray();
    entries.forEach(entry -> array.add(entry.json()));
    return array;
  }

  private JsonObject json() {
    JsonObject json = new JsonObject();
    json.addProperty("type", type);
    json.addProperty("name", name);
    json.addProperty("state", state);
    json.addProperty("cache_state", cacheState);
    json.add("version", text(version));
    json.addProperty("cached", cached);
    json.add("error", problem == null ? JsonNull.INSTANCE : error(problem));
    json.add("last_updated", text(updated == null ? null : Times.rfc3339(updated)));
    return json;
  }

  private static JsonObject error(Problem problem) {
    JsonObject json = new JsonObject();
    json.add("code", text(problem.code));
    json.addProperty("message", problem.message);
    return json;
  }

  private static JsonElement text(@Nullable String text) {
    return text == null ? JsonNull.INSTANCE : new JsonPrimitive(text);
  }
}
