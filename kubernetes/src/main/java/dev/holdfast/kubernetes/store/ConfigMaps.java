// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.kubernetes.store;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.RecordSpace;
import dev.holdfast.config.StateStoreException;
import dev.holdfast.config.Value;
import dev.holdfast.config.ValueText;
import dev.holdfast.kubernetes.api.ApiRequest;
import dev.holdfast.kubernetes.api.ApiResponse;
import dev.holdfast.kubernetes.api.ApiServer;
import dev.holdfast.kubernetes.api.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The ConfigMaps of one state, in one namespace. */
final class ConfigMaps implements RecordSpace {
  private static final String LABEL = "holdfast.dev/state";
  private static final int PAGE = 50;
  private static final Duration ANSWER = Duration.ofSeconds(15);

  private final ApiServer server;
  private final String namespace;
  private final String state;

  ConfigMaps(ApiServer server, String namespace, String state) {
    this.server = server;
    this.namespace = namespace;
    this.state = state;
  }

  @Override
  public String place() {
    return "configmaps/" + namespace + "/" + state;
  }

  @Override
  public String howToDelete() {
    return "delete all ConfigMaps with the label " + LABEL + "=" + state;
  }

  @Override
  public @Nullable Entry get(String name) throws NoAnswerException {
    ApiResponse answer = send(ApiRequest.get(path() + "/" + name));
    if (answer.status() == 404) {
      return null;
    }
    return entry(object(ok(answer)));
  }

  @Override
  public @Nullable Entry create(String name, Map<String, String> data) throws NoAnswerException {
    ApiResponse answer = send(ApiRequest.post(path(), json(name, "", data)));
    return answer.status() == 409 ? null : entry(object(ok(answer)));
  }

  @Override
  public @Nullable Entry swap(
      Entry before, Map<String, String> data, Map<String, ? extends Map<String, String>> records)
      throws NoAnswerException {
    for (Map.Entry<String, ? extends Map<String, String>> record : records.entrySet()) {
      create(record.getKey(), record.getValue());
    }
    ApiResponse answer =
        send(
            ApiRequest.put(
                path() + "/" + before.name(), json(before.name(), before.version(), data)));
    return answer.status() == 409 || answer.status() == 404 ? null : entry(object(ok(answer)));
  }

  @Override
  public SortedMap<String, Entry> list() throws NoAnswerException {
    SortedMap<String, Entry> all = new TreeMap<>();
    String next = "";
    do {
      Mapping page =
          object(
              ok(
                  send(
                      ApiRequest.get(
                          path()
                              + "?limit="
                              + PAGE
                              + "&labelSelector="
                              + URLEncoder.encode(LABEL + "=" + state, StandardCharsets.UTF_8)
                              + (next.isEmpty()
                                  ? ""
                                  : "&continue="
                                      + URLEncoder.encode(next, StandardCharsets.UTF_8))))));
      for (Value item : Json.elements(page, "items")) {
        if (item instanceof Mapping object) {
          Entry entry = entry(object);
          all.put(entry.name(), entry);
        }
      }
      next = Json.string(Json.mapping(page, "metadata"), "continue");
    } while (!next.isEmpty());
    return all;
  }

  /**
   * One after the other, and nobody waits for it: hundreds of requests in a row would hold up the
   * next change for seconds.
   */
  @Override
  public void delete(List<String> names) {
    deleteNext(List.copyOf(names).iterator());
  }

  private void deleteNext(Iterator<String> names) {
    if (names.hasNext()) {
      var unused =
          server
              .send(new ApiRequest("DELETE", path() + "/" + names.next(), "", ""))
              .whenComplete(
                  (answer, failure) -> {
                    if (failure == null && answer.status() < 500 && answer.status() != 429) {
                      deleteNext(names);
                    }
                  });
    }
  }

  private String path() {
    return "/api/v1/namespaces/" + namespace + "/configmaps";
  }

  private String json(String name, String version, Map<String, String> data) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("name", name);
    metadata.put("namespace", namespace);
    metadata.put("labels", Map.of(LABEL, state));
    if (!version.isEmpty()) {
      metadata.put("resourceVersion", version);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("apiVersion", "v1");
    object.put("kind", "ConfigMap");
    object.put("metadata", metadata);
    object.put("data", new TreeMap<>(data));
    return ValueText.of(Json.value(object));
  }

  private ApiResponse send(ApiRequest request) throws NoAnswerException {
    try {
      ApiResponse answer =
          server.send(request).toCompletableFuture().get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
      if (answer.status() >= 500 || answer.status() == 429) {
        throw new NoAnswerException(answer.reason(), null);
      }
      return answer;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new NoAnswerException(String.valueOf(cause.getMessage()), e);
    } catch (TimeoutException e) {
      throw new NoAnswerException("no answer within " + ANSWER.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NoAnswerException("interrupted", e);
    }
  }

  private ApiResponse ok(ApiResponse answer) {
    if (!answer.isOk()) {
      StateStoreException.Kind kind =
          answer.status() == 401 || answer.status() == 403 || answer.status() == 404
              ? StateStoreException.Kind.UNUSABLE
              : StateStoreException.Kind.FAILED;
      throw new StateStoreException(kind, "state in " + place() + ": " + answer.reason());
    }
    return answer;
  }

  private Mapping object(ApiResponse answer) {
    try {
      if (Json.parse(answer.body(), Position.of(place())) instanceof Mapping mapping) {
        return mapping;
      }
    } catch (IllegalArgumentException e) {
      throw unreadable();
    }
    throw unreadable();
  }

  private StateStoreException unreadable() {
    return new StateStoreException(
        StateStoreException.Kind.FAILED,
        "state in " + place() + ": the answer of the API server cannot be read");
  }

  private static Entry entry(Mapping object) {
    Mapping metadata = Json.mapping(object, "metadata");
    SortedMap<String, String> data = new TreeMap<>();
    Mapping written = Json.mapping(object, "data");
    List<String> names = new ArrayList<>(written.fields().keySet());
    names.forEach(name -> data.put(name, Json.string(written, name)));
    return new Entry(Json.string(metadata, "name"), Json.string(metadata, "resourceVersion"), data);
  }
}
