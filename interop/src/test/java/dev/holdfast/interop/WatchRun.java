// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.base.SystemTime;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.testkit.Recorder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** {@code holdfast xds watch -o json}, run in this process but for its sockets. */
public final class WatchRun implements AutoCloseable {
  private final Recorder<String> out = new Recorder<>("line");
  private final Recorder<String> err = new Recorder<>("line on standard error");
  private final OutputStream commands;
  private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

  private WatchRun(Map<String, String> environment, List<String> arguments) throws IOException {
    Pipe pipe = Pipe.open();
    commands = Channels.newOutputStream(pipe.sink());
    Shell shell =
        new Shell(
            Channels.newInputStream(pipe.source()),
            new PrintStream(new Lines(out), false, UTF_8),
            new PrintStream(new Lines(err), false, UTF_8),
            environment,
            SystemTime.instance(),
            Shell.Terminal.none());
    String[] all = arguments.toArray(new String[0]);
    Thread thread = new Thread(() -> exitCode.complete(Main.run(shell, all)), "holdfast");
    thread.setDaemon(true);
    thread.start();
  }

  public static WatchRun start(Map<String, String> environment, List<String> arguments)
      throws IOException {
    List<String> all = new ArrayList<>(List.of("xds", "watch", "-o", "json"));
    all.addAll(arguments);
    return new WatchRun(environment, all);
  }

  public static WatchRun start(String... arguments) throws IOException {
    return start(Map.of(), List.of(arguments));
  }

  public void type(String line) throws IOException {
    commands.write((line + "\n").getBytes(UTF_8));
  }

  /** The next line. */
  public JsonObject next() {
    return JsonParser.parseString(out.next()).getAsJsonObject();
  }

  /** The next line that is about this resource; others are skipped. */
  public JsonObject next(String key) {
    return JsonParser.parseString(out.next(line -> key.equals(key(line)))).getAsJsonObject();
  }

  private static String key(String line) {
    JsonObject json = JsonParser.parseString(line).getAsJsonObject();
    return json.has("type")
        ? json.get("type").getAsString() + "/" + json.get("name").getAsString()
        : "";
  }

  /** The next line must be this event, in the form that the contract gives it. */
  public JsonObject expect(String event, String code) {
    return check(next(), event, code);
  }

  /** The next line about this resource must be this event. */
  public JsonObject expect(String key, String event, String code) {
    return check(next(key), event, code);
  }

  private static JsonObject check(JsonObject line, String event, String code) {
    assertThat(line.get("event").getAsString() + " " + code(line))
        .as(line.toString())
        .isEqualTo(event + " " + code);
    boolean resource = event.equals("resource_changed") && code.equals("OK");
    List<String> keys = new ArrayList<>(List.of("time", "type", "name", "event", "status"));
    if (resource) {
      keys.addAll(List.of("version", "resource"));
    }
    assertThat(line.keySet()).containsExactlyElementsOf(keys);
    assertThat(message(line).isEmpty()).as(line.toString()).isEqualTo(code.equals("OK"));
    return line;
  }

  public static String code(JsonObject line) {
    return line.getAsJsonObject("status").get("code").getAsString();
  }

  public static String message(JsonObject line) {
    return line.getAsJsonObject("status").get("message").getAsString();
  }

  /** What {@code dump} says of a resource; nothing but the dump may be waiting. */
  JsonObject dumped(String key) throws IOException {
    type("dump");
    JsonObject dump = next();
    assertThat(dump.keySet()).as(dump.toString()).containsExactly("event", "entries");
    for (JsonElement element : dump.getAsJsonArray("entries")) {
      JsonObject entry = element.getAsJsonObject();
      if (key.equals(entry.get("type").getAsString() + "/" + entry.get("name").getAsString())) {
        assertThat(entry.keySet())
            .containsExactly(
                "type",
                "name",
                "state",
                "cache_state",
                "version",
                "cached",
                "error",
                "last_updated");
        return entry;
      }
    }
    throw new AssertionError(key + " is not in " + dump);
  }

  String cacheState(String key) throws IOException {
    return dumped(key).get("cache_state").getAsString();
  }

  String errorLine() {
    return err.next();
  }

  List<String> lines() {
    return out.all();
  }

  int exitCode() throws Exception {
    return exitCode.get(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws IOException {
    try {
      type("quit");
      exitCode();
    } catch (Exception e) {
      throw new AssertionError("the command has not ended; it said " + out.all() + err.all(), e);
    }
  }

  /** Cuts what is written into lines. */
  private static final class Lines extends OutputStream {
    private final Recorder<String> lines;
    private final ByteArrayOutputStream current = new ByteArrayOutputStream();

    Lines(Recorder<String> lines) {
      this.lines = lines;
    }

    @Override
    public synchronized void write(int b) {
      if (b == '\n') {
        lines.add(current.toString(UTF_8));
        current.reset();
      } else {
        current.write(b);
      }
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      for (int i = offset; i < offset + length; i++) {
        write(bytes[i]);
      }
    }
  }
}
