// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.store;

import dev.holdfast.config.CompactionSettings;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.StateStore;
import dev.holdfast.config.ValueText;
import dev.holdfast.config.contract.RecordStoreContract;
import dev.holdfast.config.contract.RecordStoreContract.Fate;
import dev.holdfast.kubernetes.api.ApiRequest;
import dev.holdfast.kubernetes.api.ApiResponse;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.api.Json;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The ConfigMaps of an API server, in memory, with the answers lost that a test wants lost. */
final class FakeConfigMaps implements ApiServer, RecordStoreContract.Place {
  private static final int LARGEST = 1 << 20;

  final Map<String, String> objects = new TreeMap<>();
  private long version;

  /** Whether deletions are answered only when {@link #answerDeletion} says so. */
  boolean areDeletionsSlow;

  private final Deque<Runnable> deletions = new ArrayDeque<>();
  private final List<Fate> fates = new ArrayList<>();
  private final List<Runnable> late = new ArrayList<>();

  @Override
  public StateStore open(int historyLimit, CompactionSettings compaction) {
    return ClusterStateStore.open(this, "holdfast", "state", historyLimit, compaction);
  }

  @Override
  public void next(List<Fate> some) {
    if (some.isEmpty()) {
      fates.clear();
    }
    fates.addAll(some);
  }

  @Override
  public int size() {
    return objects.size();
  }

  @Override
  public void arriveLate() {
    late.forEach(Runnable::run);
    late.clear();
  }

  @Override
  public CompletionStage<ApiResponse> send(ApiRequest request) {
    if (request.method().equals("GET")) {
      return CompletableFuture.completedFuture(read(request.path()));
    }
    if (areDeletionsSlow && request.method().equals("DELETE")) {
      CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
      deletions.add(() -> answer.complete(write(request)));
      return answer;
    }
    Fate fate = fates.isEmpty() ? Fate.NORMAL : fates.remove(0);
    return switch (fate) {
      case NORMAL -> CompletableFuture.completedFuture(write(request));
      case LOST -> {
        late.add(() -> write(request));
        yield CompletableFuture.failedFuture(new IOException("connection reset"));
      }
      case DONE_BUT_NOT_ANSWERED -> {
        write(request);
        yield CompletableFuture.failedFuture(new IOException("connection reset"));
      }
    };
  }

  /** How many deletions are under way. */
  int deletions() {
    return deletions.size();
  }

  void answerDeletion() {
    deletions.remove().run();
  }

  private ApiResponse read(String path) {
    if (path.contains("?")) {
      return new ApiResponse(
          200, "{\"metadata\":{},\"items\":[" + String.join(",", objects.values()) + "]}");
    }
    String object = objects.get(name(path));
    return object == null ? new ApiResponse(404, "{}") : new ApiResponse(200, object);
  }

  private ApiResponse write(ApiRequest request) {
    if (request.method().equals("DELETE")) {
      objects.remove(name(request.path()));
      return new ApiResponse(200, "{}");
    }
    if (request.body().length() > LARGEST) {
      return new ApiResponse(413, "{\"message\":\"too large\"}");
    }
    Mapping object = (Mapping) Json.parse(request.body(), Position.of("test"));
    Mapping metadata = Json.mapping(object, "metadata");
    String name = Json.string(metadata, "name");
    String before = objects.get(name);
    boolean isCreate = request.method().equals("POST");
    if (isCreate == (before != null)) {
      return new ApiResponse(isCreate ? 409 : 404, "{}");
    }
    if (before != null
        && !Json.string(
                Json.mapping((Mapping) Json.parse(before, Position.of("test")), "metadata"),
                "resourceVersion")
            .equals(Json.string(metadata, "resourceVersion"))) {
      return new ApiResponse(409, "{}");
    }
    Map<String, Object> stored = new LinkedHashMap<>();
    stored.put("metadata", Map.of("name", name, "resourceVersion", Long.toString(++version)));
    Map<String, Object> data = new TreeMap<>();
    Mapping written = Json.mapping(object, "data");
    written.fields().keySet().forEach(key -> data.put(key, Json.string(written, key)));
    stored.put("data", data);
    String json = ValueText.of(Json.value(stored));
    objects.put(name, json);
    return new ApiResponse(200, json);
  }

  private static String name(String path) {
    return path.replaceAll(".*/", "");
  }

  @Override
  public Watch watch(String path, WatchListener listener) {
    throw new UnsupportedOperationException("a store does not watch");
  }
}
