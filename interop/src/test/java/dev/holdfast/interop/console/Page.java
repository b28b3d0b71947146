// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.serve.Plane;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** One page of a browser, as somebody uses it who sits in front of it. */
final class Page implements AutoCloseable {
  private static final Gson GSON = new Gson();
  private static final Map<String, Integer> KEYS =
      new TreeMap<>(
          Map.of("Tab", 9, "Enter", 13, "Escape", 27, " ", 32, "ArrowDown", 40, "Backspace", 8));

  private final DevTools tools;
  private final String session;
  private final String context;

  /** What went wrong in the page, and what should never happen: a box that pops up. */
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  /** Why an expression could not be evaluated the last time that one was waited for. */
  private volatile String lastTrouble = "";

  /** How often a document of this page was loaded to its end. */
  private final AtomicInteger loads = new AtomicInteger();

  Page(DevTools tools, String session, String context) {
    this.tools = tools;
    this.session = session;
    this.context = context;
    tools.listen(session, this::onEvent);
    call("Page.enable", Map.of());
    call("Runtime.enable", Map.of());
    call("Log.enable", Map.of());
    call("Emulation.setScrollbarsHidden", Map.of("hidden", true));
    size(1280, 900);
  }

  private void onEvent(String name, JsonObject event) {
    switch (name) {
      case "Runtime.exceptionThrown" -> complaints.add(event.get("exceptionDetails").toString());
      case "Log.entryAdded" -> {
        JsonObject entry = event.getAsJsonObject("entry");
        // Requests that fail are logged by the browser; whether they may is for a test to say.
        if (!entry.get("source").getAsString().equals("network")) {
          complaints.add(entry.toString());
        }
      }
      case "Page.loadEventFired" -> loads.incrementAndGet();
      case "Page.javascriptDialogOpening" -> {
        complaints.add("a box pops up: " + event.get("message"));
        tools.tell(session, "Page.handleJavaScriptDialog", json(Map.of("accept", true)));
      }
      default -> {}
    }
  }

  private JsonObject call(String method, Map<String, ?> parameters) {
    return tools.call(session, method, json(parameters));
  }

  private static JsonObject json(Map<String, ?> parameters) {
    return GSON.toJsonTree(parameters).getAsJsonObject();
  }

  List<String> complaints() {
    return complaints;
  }

  Page size(int width, int height) {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    return this;
  }

  /** What the system is said to prefer: {@code light} or {@code dark}. */
  Page prefer(String scheme) {
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    return this;
  }

  /** Loads an address anew. */
  Page load(String address) {
    call("Page.navigate", Map.of("url", "about:blank"));
    call("Page.navigate", Map.of("url", address));
    awaitTrue("document.readyState === 'complete' && location.href !== 'about:blank'");
    return this;
  }

  /**
   * Loads the same address again. Until the browser says that it has, an expression is evaluated in
   * the document that leaves, in the one that comes, or in one that has no body yet.
   */
  Page reload() {
    int before = loads.get();
    call("Page.reload", Map.of());
    Plane.await("the page is loaded again", () -> loads.get() > before);
    return this;
  }

  /** Goes to another part of the console, as a link does, and waits for its heading. */
  Page go(String hash, String title) {
    return go(hash).awaitTitle(title);
  }

  /**
   * The same, without knowing the heading. The browser tells of another address a moment after it
   * has it: the console has heard of it when those have who began to listen after it did.
   */
  Page go(String hash) {
    JsonElement unused =
        get(
            """
            new Promise(done => {
              const before = location.href;
              addEventListener('hashchange', () => done(null), {once: true});
              location.hash = %s;
              if (location.href === before) done(null);
            })
            """
                .formatted(GSON.toJson(hash)));
    return this;
  }

  Page awaitTitle(String title) {
    return awaitText("#title", title).awaitTrue("!document.querySelector('.loading')");
  }

  /** The value of an expression. */
  JsonElement get(String expression) {
    JsonObject answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
    }
    JsonElement value = answer.getAsJsonObject("result").get("value");
    return value == null ? new JsonObject() : value;
  }

  void run(String statement) {
    get("{" + statement + "; null}");
  }

  boolean isTrue(String expression) {
    return get("Boolean(" + expression + ")").getAsBoolean();
  }

  /** The text of the first element that a selector finds; empty if there is none. */
  String text(String selector) {
    return get("document.querySelector(%s)?.innerText ?? ''".formatted(GSON.toJson(selector)))
        .getAsString();
  }

  /** The texts of all elements that a selector finds. */
  List<String> texts(String selector) {
    JsonArray found =
        get("[...document.querySelectorAll(%s)].map(e => e.innerText)"
                .formatted(GSON.toJson(selector)))
            .getAsJsonArray();
    return found.asList().stream().map(JsonElement::getAsString).toList();
  }

  /** Waits until the first element that a selector finds says all of this. */
  Page awaitText(String selector, String... parts) {
    AtomicReference<String> last = new AtomicReference<>("");
    try {
      Plane.await(
          selector,
          () -> {
            String now = soFar(() -> text(selector), "");
            last.set(now);
            return Stream.of(parts).allMatch(now::contains);
          });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          "%s: %s (expected: %s); %s"
              .formatted(selector, last.get(), String.join(", ", parts), complaints + lastTrouble),
          e);
    }
    return this;
  }

  Page awaitTrue(String expression) {
    try {
      Plane.await(expression, () -> soFar(() -> isTrue(expression), false));
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(
          expression + " is not true of\n" + text("body") + complaints + lastTrouble, e);
    }
    return this;
  }

  /** What a page says, or nothing yet while one document leaves and the next one comes. */
  private <T> T soFar(Supplier<T> asked, T nothing) {
    try {
      return asked.get();
    } catch (AssertionError e) {
      lastTrouble = String.valueOf(e.getMessage());
      return nothing;
    }
  }

  Page click(String selector) {
    awaitTrue("document.querySelector(%s)".formatted(GSON.toJson(selector)));
    run("document.querySelector(%s).click()".formatted(GSON.toJson(selector)));
    return this;
  }

  /** Presses a key, and lets it go. */
  Page press(String key) {
    return press(key, 0);
  }

  Page pressWithShift(String key) {
    return press(key, 8);
  }

  private Page press(String key, int modifiers) {
    int code = KEYS.getOrDefault(key, 0);
    Map<String, Object> event =
        new TreeMap<>(
            Map.of("key", key, "code", key, "windowsVirtualKeyCode", code, "modifiers", modifiers));
    event.put("type", key.equals("Enter") ? "keyDown" : "rawKeyDown");
    if (key.equals("Enter")) {
      event.put("text", "\r");
    }
    call("Input.dispatchKeyEvent", event);
    event.remove("text");
    event.put("type", "keyUp");
    call("Input.dispatchKeyEvent", event);
    return this;
  }

  Page type(String text) {
    call("Input.insertText", Map.of("text", text));
    return this;
  }

  /** What it looks like now, as a PNG. */
  byte[] picture() {
    return Base64.getDecoder()
        .decode(call("Page.captureScreenshot", Map.of("format", "png")).get("data").getAsString());
  }

  @Override
  public void close() {
    tools.call("", "Target.disposeBrowserContext", json(Map.of("browserContextId", context)));
  }
}
