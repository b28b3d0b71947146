// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The Chrome DevTools protocol: commands with answers, and events, all as JSON over one WebSocket.
 * Pages are told apart by the id of their session.
 */
final class DevTools implements WebSocket.Listener {
  private static final int PATIENCE_SECONDS = 60;

  private final Map<Integer, CompletableFuture<JsonObject>> waiting = new ConcurrentHashMap<>();
  private final Map<String, BiConsumer<String, JsonObject>> listeners = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final StringBuilder text = new StringBuilder(); // used by one thread at a time
  private @Nullable WebSocket socket;

  private DevTools() {}

  static DevTools connect(String address) {
    DevTools tools = new DevTools();
    tools.socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(address), tools)
            .join();
    return tools;
  }

  /** From now on a page's events go there: their name and what they say. */
  void listen(String session, BiConsumer<String, JsonObject> listener) {
    listeners.put(session, listener);
  }

  /** Has the browser do something, and waits until it is done. */
  JsonObject call(String session, String method, JsonObject parameters) {
    JsonObject answer = await(method, start(session, method, parameters));
    if (answer.has("error")) {
      throw new AssertionError(method + ": " + answer.get("error"));
    }
    return answer.getAsJsonObject("result");
  }

  /** The same without waiting. */
  void tell(String session, String method, JsonObject parameters) {
    CompletableFuture<JsonObject> unused = start(session, method, parameters);
  }

  private CompletableFuture<JsonObject> start(
      String session, String method, JsonObject parameters) {
    int id = ids.incrementAndGet();
    JsonObject command = new JsonObject();
    command.addProperty("id", id);
    command.addProperty("method", method);
    command.add("params", parameters);
    if (!session.isEmpty()) {
      command.addProperty("sessionId", session);
    }
    CompletableFuture<JsonObject> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    send(command.toString());
    return answer;
  }

  /** A WebSocket takes the next text only when it is through with the one before. */
  private synchronized void send(String command) {
    WebSocket open = socket;
    if (open == null) {
      throw new IllegalStateException("not connected");
    }
    open.sendText(command, /* last= */ true).join();
  }

  private static JsonObject await(String method, CompletableFuture<JsonObject> answer) {
    try {
      return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new AssertionError(method + ": the browser gave no answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(method + ": interrupted", e);
    }
  }

  @Override
  public @Nullable CompletionStage<?> onText(
      WebSocket webSocket, CharSequence data, boolean isLast) {
    text.append(data);
    if (isLast) {
      JsonObject message = JsonParser.parseString(text.toString()).getAsJsonObject();
      text.setLength(0);
      take(message);
    }
    webSocket.request(1);
    return null;
  }

  private void take(JsonObject message) {
    if (message.has("id")) {
      CompletableFuture<JsonObject> answer = waiting.remove(message.get("id").getAsInt());
      if (answer != null) {
        answer.complete(message);
      }
    } else if (message.has("sessionId")) {
      BiConsumer<String, JsonObject> listener =
          listeners.get(message.get("sessionId").getAsString());
      if (listener != null) {
        listener.accept(message.get("method").getAsString(), message.getAsJsonObject("params"));
      }
    }
  }
}
