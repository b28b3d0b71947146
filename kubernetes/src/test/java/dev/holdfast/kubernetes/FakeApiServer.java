// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes;

import dev.holdfast.kubernetes.api.ApiRequest;
import dev.holdfast.kubernetes.api.ApiResponse;
import dev.holdfast.kubernetes.api.ApiServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An API server in memory: objects by collection, watches that a test feeds, failures on demand.
 */
public final class FakeApiServer implements ApiServer {
  private final Map<String, Map<String, String>> collections = new HashMap<>();
  private final Map<String, ApiResponse> answers = new HashMap<>();
  private final Map<String, OpenWatch> watches = new HashMap<>();
  private final List<ApiRequest> requests = new ArrayList<>();
  private long version = 100;
  private boolean isDown;
  private int pageSize = 1_000;
  private int opened;

  /** A watch that was opened and not ended. */
  private record OpenWatch(String path, WatchListener listener) {}

  // What a test does.

  /** No request is answered, and every watch breaks. */
  public void goDown() {
    isDown = true;
    List.copyOf(watches.keySet()).forEach(each -> end(each, 0, "connection reset"));
  }

  public void comeUp() {
    isDown = false;
  }

  public void pageSize(int objects) {
    pageSize = objects;
  }

  /** All requests whose path, without the query, ends so are answered with this; null: as usual. */
  public void answer(String path, @Nullable ApiResponse answer) {
    if (answer == null) {
      answers.remove(path);
    } else {
      answers.put(path, answer);
    }
  }

  /**
   * Writes an object, and tells the watch of its collection.
   *
   * @param collection such as {@code services}
   * @param metadata fields of the metadata after name, namespace, resourceVersion, with a comma
   * @param rest fields after the metadata, with a comma
   */
  public String put(String collection, String name, String metadata, String rest) {
    String type = objects(collection).containsKey(name) ? "MODIFIED" : "ADDED";
    String object = object(name, ++version, metadata, rest);
    objects(collection).put(name, object);
    tell(collection, type, object);
    return object;
  }

  public static String object(String name, long version, String metadata, String rest) {
    return """
        {"metadata":{"name":"%s","namespace":"shop","uid":"uid-%s","resourceVersion":"%d"%s}%s}"""
        .formatted(name, name, version, metadata, rest);
  }

  public void delete(String collection, String name) {
    String object = objects(collection).remove(name);
    if (object != null) {
      version++;
      tell(collection, "DELETED", object);
    }
  }

  /** Writes without telling: as happens while nobody watches. */
  public void silently(Runnable change) {
    Map<String, OpenWatch> open = new HashMap<>(watches);
    watches.clear();
    change.run();
    watches.putAll(open);
  }

  public void tell(String collection, String type, String object) {
    OpenWatch watch = watches.get(collection);
    if (watch != null) {
      watch.listener().onEvent("{\"type\":\"%s\",\"object\":%s}".formatted(type, object));
    }
  }

  public void end(String collection, int status, String reason) {
    OpenWatch watch = watches.remove(collection);
    if (watch != null) {
      watch.listener().onEnd(status, reason);
    }
  }

  public boolean isWatched(String collection) {
    return watches.containsKey(collection);
  }

  /** The requests since the last call, of these methods. */
  public List<ApiRequest> takeRequests(String... methods) {
    List<ApiRequest> taken =
        requests.stream().filter(each -> List.of(methods).contains(each.method())).toList();
    requests.removeAll(taken);
    return taken;
  }

  /** How many watches were opened so far. */
  public int opened() {
    return opened;
  }

  public long version() {
    return version;
  }

  // What the code under test calls.

  @Override
  public CompletionStage<ApiResponse> send(ApiRequest request) {
    requests.add(request);
    if (isDown) {
      return CompletableFuture.failedFuture(new IOException("connection refused"));
    }
    ApiResponse scripted = scripted(request.path());
    if (scripted != null) {
      return CompletableFuture.completedFuture(scripted);
    }
    if (request.method().equals("GET")) {
      return CompletableFuture.completedFuture(new ApiResponse(200, list(request.path())));
    }
    return CompletableFuture.completedFuture(new ApiResponse(200, "{}"));
  }

  private @Nullable ApiResponse scripted(String path) {
    String plain = path.replaceAll("\\?.*", "");
    return answers.entrySet().stream()
        .filter(each -> plain.endsWith(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  private String list(String path) {
    List<String> all = new ArrayList<>(objects(collection(path)).values());
    int from =
        path.contains("continue=") ? Integer.parseInt(path.replaceAll(".*continue=", "")) : 0;
    int to = Math.min(all.size(), from + pageSize);
    return "{\"metadata\":{\"resourceVersion\":\"%d\"%s},\"items\":[%s]}"
        .formatted(
            version,
            to < all.size() ? ",\"continue\":\"" + to + "\"" : "",
            String.join(",", all.subList(from, to)));
  }

  @Override
  public Watch watch(String path, WatchListener listener) {
    String collection = collection(path);
    ApiResponse scripted = scripted(path);
    if (isDown || scripted != null) {
      listener.onEnd(
          isDown || scripted == null ? 0 : scripted.status(),
          isDown || scripted == null ? "connection refused" : scripted.reason());
      return () -> {};
    }
    OpenWatch watch = new OpenWatch(path, listener);
    opened++;
    watches.put(collection, watch);
    listener.onOpen();
    return () -> watches.remove(collection, watch);
  }

  private Map<String, String> objects(String collection) {
    return collections.computeIfAbsent(collection, each -> new LinkedHashMap<>());
  }

  private static String collection(String path) {
    return path.replaceAll("\\?.*", "").replaceAll(".*/", "");
  }
}
