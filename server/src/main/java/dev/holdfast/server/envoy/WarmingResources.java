// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an Envoy has accepted and does not use, because it waits for something else. Envoy calls
 * this warming.
 */
public final class WarmingResources {
  private static final String LISTENERS = "listener_manager.total_listeners_warming";
  private static final String COUNTS =
      "/stats?filter=^(" + LISTENERS + "|cluster_manager.warming_clusters)$";

  private WarmingResources() {}

  /** Whether there is anything: cheaper than to ask what. */
  public static boolean isNone(EnvoyAdmin admin, Duration patience) throws IOException {
    return counts(admin, patience).values().stream().allMatch(count -> count.equals("0"));
  }

  /** For people: what is not in use after a while, and what it waits for. */
  public static String words(ResourceId unused, Duration after, List<String> targets) {
    return unused.type().word()
        + " "
        + unused.name()
        + " is not in use after "
        + String.format(Locale.ROOT, "%.1f s", after.toMillis() / 1000.0)
        + (targets.isEmpty() ? "" : "; it waits for " + String.join(", ", targets));
  }

  /**
   * Listeners and clusters that are not in use, and what each of them waits for, in Envoy's words.
   *
   * @throws IOException if there is no answer, or none that is understood
   */
  public static SortedMap<ResourceId, List<String>> of(EnvoyAdmin admin, Duration patience)
      throws IOException {
    SortedMap<ResourceId, List<String>> found = new TreeMap<>();
    for (Map.Entry<String, String> count : counts(admin, patience).entrySet()) {
      if (!count.getValue().equals("0")) {
        ResourceType type =
            count.getKey().equals(LISTENERS) ? ResourceType.LISTENER : ResourceType.CLUSTER;
        for (String name : names(type, admin, patience)) {
          found.put(new ResourceId(type, name), List.of());
        }
      }
    }
    if (!found.isEmpty()) {
      addTargets(found, array(admin.get("/init_dump", patience), "unready_targets_dumps"));
    }
    return found;
  }

  private static SortedMap<String, String> counts(EnvoyAdmin admin, Duration patience)
      throws IOException {
    SortedMap<String, String> counts = new TreeMap<>();
    for (String line : admin.get(COUNTS, patience).lines().toList()) {
      int colon = line.lastIndexOf(": ");
      if (colon > 0) {
        counts.put(line.substring(0, colon), line.substring(colon + 2));
      }
    }
    return counts;
  }

  private static List<String> names(ResourceType type, EnvoyAdmin admin, Duration patience)
      throws IOException {
    boolean isListener = type == ResourceType.LISTENER;
    List<String> names = new ArrayList<>();
    String dump =
        isListener
            ? "/config_dump?resource=dynamic_listeners&mask=name,warming_state.version_info"
            : "/config_dump?resource=dynamic_warming_clusters";
    for (JsonElement each : array(admin.get(dump, patience), "configs")) {
      JsonObject config = each.getAsJsonObject();
      if (!isListener) {
        names.add(text(config.getAsJsonObject("cluster"), "name"));
      } else if (config.has("warming_state")) {
        names.add(text(config, "name"));
      }
    }
    return names;
  }

  /** The names of what waits are among the words of what Envoy calls the waiting. */
  private static void addTargets(SortedMap<ResourceId, List<String>> found, JsonArray dumps)
      throws IOException {
    for (JsonElement each : dumps) {
      JsonObject dump = each.getAsJsonObject();
      List<String> targets = new ArrayList<>();
      JsonArray names = dump.getAsJsonArray("target_names");
      for (JsonElement target : names == null ? new JsonArray() : names) {
        targets.add(target.getAsString());
      }
      List<String> words = List.of(text(dump, "name").split(" ", -1));
      found.replaceAll((id, before) -> words.contains(id.name()) ? targets : before);
    }
  }

  private static JsonArray array(String json, String field) throws IOException {
    try {
      JsonArray array = JsonParser.parseString(json).getAsJsonObject().getAsJsonArray(field);
      return array == null ? new JsonArray() : array;
    } catch (JsonParseException | IllegalStateException | ClassCastException e) {
      throw new IOException("the admin port gives no " + field + ": " + e, e);
    }
  }

  private static String text(@Nullable JsonObject object, String field) throws IOException {
    if (object == null || !object.has(field)) {
      throw new IOException("the admin port gives no " + field);
    }
    return object.get(field).getAsString();
  }
}
