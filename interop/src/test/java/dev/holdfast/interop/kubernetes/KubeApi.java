// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.config.ValueText;
import dev.holdfast.config.files.Documents;
import dev.holdfast.config.files.YamlReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;

/** An API server as one user sees it. Objects are YAML or JSON, paths begin with a slash. */
public final class KubeApi {
  /** Long enough for any machine; reached only when something is wrong. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final URI server;
  private final String token;
  private final HttpClient client;

  KubeApi(URI server, SSLContext tls, String token) {
    this(
        server,
        token,
        HttpClient.newBuilder()
            .sslContext(tls)
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build());
  }

  private KubeApi(URI server, String token, HttpClient client) {
    this.server = server;
    this.token = token;
    this.client = client;
  }

  /** The same server, seen by the holder of another token. */
  public KubeApi as(String otherToken) {
    return new KubeApi(server, otherToken, client);
  }

  /** The objects of a file, as JSON. */
  public static List<JsonObject> documents(String manifests) {
    Documents read = YamlReader.read("manifests.yaml", manifests.getBytes(StandardCharsets.UTF_8));
    if (!read.problems().isEmpty()) {
      throw new AssertionError("manifests: " + read.problems());
    }
    return read.documents().stream()
        .map(value -> JsonParser.parseString(ValueText.of(value)))
        .filter(JsonElement::isJsonObject)
        .map(JsonElement::getAsJsonObject)
        .toList();
  }

  public KubeAnswer get(String path) {
    return send("GET", path, "", BodyPublishers.noBody());
  }

  /** Objects as the table that kubectl shows: the names of the columns, then one line for each. */
  public List<List<String>> table(String path) {
    JsonObject table =
        send(
                "GET",
                path,
                "",
                BodyPublishers.noBody(),
                "application/json;as=Table;v=v1;g=meta.k8s.io")
            .orFail(path)
            .json();
    List<List<String>> lines = new ArrayList<>();
    lines.add(
        table.getAsJsonArray("columnDefinitions").asList().stream()
            .map(column -> column.getAsJsonObject().get("name").getAsString())
            .toList());
    for (JsonElement row : table.getAsJsonArray("rows")) {
      lines.add(
          row.getAsJsonObject().getAsJsonArray("cells").asList().stream()
              .map(cell -> cell.isJsonNull() ? "" : cell.getAsString())
              .toList());
    }
    return lines;
  }

  public KubeAnswer post(String path, String json) {
    return send("POST", path, "application/json", BodyPublishers.ofString(json));
  }

  public KubeAnswer put(String path, String json) {
    return send("PUT", path, "application/json", BodyPublishers.ofString(json));
  }

  /** A patch of this content type, such as {@code application/merge-patch+json}. */
  public KubeAnswer patch(String path, String contentType, String body) {
    return send("PATCH", path, contentType, BodyPublishers.ofString(body));
  }

  public KubeAnswer delete(String path) {
    return send("DELETE", path, "", BodyPublishers.noBody());
  }

  /**
   * Applies all objects of a text in their order, strictly: an unknown field is an error. Waits for
   * the kinds of CRDs to be served.
   */
  public void apply(String manifests) {
    List<String> unused = applyAndListWarnings(manifests);
  }

  /** The same; the result is what the server warns of. */
  public List<String> applyAndListWarnings(String manifests) {
    List<String> warnings = new ArrayList<>();
    for (JsonObject object : documents(manifests)) {
      String what = KubePaths.describe(object);
      KubeAnswer answer = tryApply(object).orFail("apply " + what);
      answer.warnings().forEach(warning -> warnings.add(what + ": " + warning));
      if (KubePaths.kind(object).equals("CustomResourceDefinition")) {
        awaitEstablished(KubePaths.name(object));
      }
    }
    return warnings;
  }

  /** Applies one object, and tells what the server said. */
  public KubeAnswer tryApply(String manifest) {
    List<JsonObject> objects = documents(manifest);
    if (objects.size() != 1) {
      throw new IllegalArgumentException("manifest: " + objects.size() + " objects (expected: 1)");
    }
    return tryApply(objects.get(0));
  }

  /** The same for an object as JSON. */
  public KubeAnswer tryApply(JsonObject object) {
    return patch(
        path(object) + "?fieldManager=test&force=true&fieldValidation=Strict",
        "application/apply-patch+yaml",
        object.toString());
  }

  /** Where an object is, by the kinds that the server has. */
  public String path(JsonObject object) {
    String root = KubePaths.root(object);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      KubeAnswer kinds = get(root);
      if (kinds.isOk()) {
        for (JsonElement each : kinds.json().getAsJsonArray("resources")) {
          JsonObject kind = each.getAsJsonObject();
          boolean fits =
              kind.get("kind").getAsString().equals(KubePaths.kind(object))
                  && kind.get("name").getAsString().indexOf('/') < 0;
          if (fits) {
            return KubePaths.path(
                object, kind.get("name").getAsString(), kind.get("namespaced").getAsBoolean());
          }
        }
      }
      // A new CRD is served a moment after it is there.
      pause(end, "a kind for " + KubePaths.describe(object) + ", but: " + kinds.status());
    }
  }

  /** Asks until the answer is good, for what takes the server a moment. */
  public KubeAnswer await(String path) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      KubeAnswer answer = get(path);
      if (answer.isOk()) {
        return answer;
      }
      pause(end, path + ", but: " + answer);
    }
  }

  private void awaitEstablished(String crd) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + crd;
    while (true) {
      String status = String.valueOf(get(path).json().get("status"));
      if (status.contains("\"NamesAccepted\"")
          && JsonParser.parseString(status)
              .getAsJsonObject()
              .getAsJsonArray("conditions")
              .asList()
              .stream()
              .map(JsonElement::getAsJsonObject)
              .anyMatch(
                  condition ->
                      condition.get("type").getAsString().equals("Established")
                          && condition.get("status").getAsString().equals("True"))) {
        return;
      }
      pause(end, "an established " + crd + ", but: " + status);
    }
  }

  private static void pause(long end, String expected) {
    if (System.nanoTime() > end) {
      throw new AssertionError("expected " + expected);
    }
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private KubeAnswer send(String method, String path, String contentType, BodyPublisher body) {
    return send(method, path, contentType, body, "application/json");
  }

  private KubeAnswer send(
      String method, String path, String contentType, BodyPublisher body, String accept) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path))
            .timeout(PATIENCE)
            .header("Accept", accept)
            .header("Authorization", "Bearer " + token)
            .method(method, body);
    if (!contentType.isEmpty()) {
      request.header("Content-Type", contentType);
    }
    try {
      var response = client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
      return new KubeAnswer(
          response.statusCode(), response.body(), response.headers().allValues("Warning"));
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
