// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.etcd;

import static org.awaitility.Awaitility.await;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.interop.Leash;
import dev.holdfast.interop.kubernetes.KubeBinaries;
import dev.holdfast.testkit.ReservedPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A real etcd on loopback, alone or one of several; ends with this JVM. */
public final class EtcdMember implements AutoCloseable {
  /** Long enough for any machine; reached only when something is wrong. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Path directory;
  private final List<String> flags;
  private final String name;
  private final boolean isTls;
  private final int port = ReservedPorts.next();
  private final int peerPort = ReservedPorts.next();
  private List<EtcdMember> all = List.of(this);
  private @Nullable Process process;

  private EtcdMember(Path directory, String name, boolean isTls, List<String> flags) {
    this.directory = directory;
    this.name = name;
    this.isTls = isTls;
    this.flags = flags;
  }

  /** Starts one and waits until it serves; skips the test if there is none to be had. */
  public static EtcdMember start(Path directory, String... flags) {
    boolean isTls = List.of(flags).stream().anyMatch(flag -> flag.startsWith("--cert-file="));
    EtcdMember member = new EtcdMember(directory, "one", isTls, List.of(flags));
    member.up();
    return member;
  }

  /** Starts several that form one etcd. */
  static List<EtcdMember> startThree(Path directory) {
    List<EtcdMember> members = new ArrayList<>();
    for (String name : List.of("one", "two", "three")) {
      members.add(new EtcdMember(directory, name, false, List.of()));
    }
    members.forEach(member -> member.all = members);
    members.forEach(EtcdMember::launch);
    members.forEach(EtcdMember::awaitServing);
    return members;
  }

  int port() {
    return port;
  }

  public String address() {
    return "127.0.0.1:" + port;
  }

  private String url() {
    return (isTls ? "https://" : "http://") + address();
  }

  private String peerUrl() {
    return "http://127.0.0.1:" + peerPort;
  }

  /** Starts it again with the data that it had. */
  void up() {
    launch();
    awaitServing();
  }

  private void launch() {
    List<String> command =
        new ArrayList<>(
            List.of(
                KubeBinaries.find().resolve("etcd").toString(),
                "--name=" + name,
                "--data-dir=" + directory.resolve("etcd-" + name),
                // The data has to survive the process, not the machine.
                "--unsafe-no-fsync",
                "--listen-client-urls=" + url(),
                "--advertise-client-urls=" + url(),
                "--listen-peer-urls=" + peerUrl(),
                "--initial-advertise-peer-urls=" + peerUrl(),
                "--initial-cluster="
                    + String.join(
                        ",", all.stream().map(each -> each.name + "=" + each.peerUrl()).toList())));
    command.addAll(flags);
    try {
      process =
          new ProcessBuilder(Leash.on(command))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(directory.resolve(name + ".log").toFile()))
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void awaitServing() {
    await("etcd at " + address())
        .dontCatchUncaughtExceptions()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .failFast("etcd has ended, see " + directory, () -> process == null || !process.isAlive())
        .ignoreExceptions()
        .until(this::isServing);
  }

  private boolean isServing() throws Exception {
    if (isTls) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return socket.isConnected();
      }
    }
    HttpRequest health = HttpRequest.newBuilder(URI.create(url() + "/health")).build();
    return HttpClient.newHttpClient().send(health, BodyHandlers.discarding()).statusCode() == 200;
  }

  /** Ends it as a crash would. */
  void kill() {
    Process running = process;
    if (running == null) {
      return;
    }
    running.destroyForcibly();
    try {
      running.getOutputStream().close();
      running.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process = null;
  }

  /** Sends a signal by its name. */
  void signal(String signal) throws Exception {
    Process running = process;
    if (running == null
        || new ProcessBuilder("kill", "-" + signal, Long.toString(running.pid())).start().waitFor()
            != 0) {
      throw new AssertionError("kill -" + signal);
    }
  }

  /** Calls the JSON API. */
  JsonObject call(String path, String json) {
    try {
      var answer =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(url() + path))
                      .POST(HttpRequest.BodyPublishers.ofString(json))
                      .build(),
                  BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new AssertionError(path + ": " + answer.body());
      }
      return JsonParser.parseString(answer.body()).getAsJsonObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The keys that begin with a prefix, and the revision that changed each last. */
  SortedMap<String, Long> keys(String prefix) {
    String end =
        prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1);
    JsonObject found =
        call(
            "/v3/kv/range",
            "{\"key\":\"%s\",\"range_end\":\"%s\",\"keys_only\":true}"
                .formatted(base64(prefix), base64(end)));
    SortedMap<String, Long> keys = new TreeMap<>();
    if (found.has("kvs")) {
      for (JsonElement each : found.getAsJsonArray("kvs")) {
        JsonObject kv = each.getAsJsonObject();
        keys.put(
            new String(
                Base64.getDecoder().decode(kv.get("key").getAsString()), StandardCharsets.UTF_8),
            kv.get("mod_revision").getAsLong());
      }
    }
    return keys;
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    kill();
  }
}
