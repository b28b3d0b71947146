// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.envoy;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** The admin port of an Envoy, on a socket in the file system. */
public final class EnvoyAdmin {
  private static final int LARGEST = 64 << 20;

  private final Path socket;

  EnvoyAdmin(Path socket) {
    this.socket = socket;
  }

  /**
   * The body of an answer.
   *
   * @throws SocketTimeoutException if there is none in time
   * @throws IOException if there is none, or another one than 200
   */
  public String get(String path, Duration patience) throws IOException {
    return body(ask(path, patience));
  }

  /**
   * Where the listeners are, by their names.
   *
   * @throws IOException if there is no answer, or none that is understood
   */
  public SortedMap<String, InetSocketAddress> listeners(Duration patience) throws IOException {
    SortedMap<String, InetSocketAddress> found = new TreeMap<>();
    try {
      JsonArray all =
          JsonParser.parseString(get("/listeners?format=json", patience))
              .getAsJsonObject()
              .getAsJsonArray("listener_statuses");
      for (JsonElement each : all == null ? new JsonArray() : all) {
        JsonObject listener = each.getAsJsonObject();
        JsonObject address =
            listener.getAsJsonObject("local_address").getAsJsonObject("socket_address");
        found.put(
            listener.get("name").getAsString(),
            new InetSocketAddress(
                address.get("address").getAsString(), address.get("port_value").getAsInt()));
      }
      return found;
    } catch (JsonParseException | IllegalStateException | NullPointerException e) {
      throw new IOException("the admin port does not name the listeners: " + e, e);
    }
  }

  private String ask(String path, Duration patience) throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        Selector selector = Selector.open()) {
      channel.configureBlocking(false);
      ByteBuffer request =
          ByteBuffer.wrap(
              ("GET " + path + " HTTP/1.1\r\nHost: admin\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      SelectionKey key = channel.register(selector, SelectionKey.OP_WRITE);
      while (request.hasRemaining()) {
        await(selector, deadline);
        channel.write(request);
      }
      key.interestOps(SelectionKey.OP_READ);
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      ByteBuffer part = ByteBuffer.allocate(64 << 10);
      while (answer.size() < LARGEST) {
        await(selector, deadline);
        int read = channel.read(part.clear());
        if (read < 0) {
          return answer.toString(StandardCharsets.ISO_8859_1);
        }
        answer.write(part.array(), 0, read);
      }
      throw new IOException("an answer of more than " + LARGEST + " bytes");
    }
  }

  /** Whether it answers in time, whatever it says. */
  boolean isAnswering(Duration patience) {
    try {
      return !ask("/ready", patience).isEmpty();
    } catch (IOException e) {
      return false;
    }
  }

  private static void await(Selector selector, long deadline) throws IOException {
    long left = (deadline - System.nanoTime()) / 1_000_000;
    if (left <= 0 || selector.select(left) == 0) {
      throw new SocketTimeoutException("no answer of the admin port");
    }
    selector.selectedKeys().clear();
  }

  private static String body(String answer) throws IOException {
    int end = answer.indexOf("\r\n\r\n");
    String first = answer.lines().findFirst().orElse("");
    if (end < 0 || !first.contains(" 200 ")) {
      throw new IOException("the admin port answers: " + first);
    }
    String body = answer.substring(end + 4);
    boolean isChunked =
        answer.substring(0, end).toLowerCase(Locale.ROOT).contains("transfer-encoding: chunked");
    return new String(
        (isChunked ? joined(body) : body).getBytes(StandardCharsets.ISO_8859_1),
        StandardCharsets.UTF_8);
  }

  private static String joined(String chunks) throws IOException {
    StringBuilder all = new StringBuilder();
    int at = 0;
    while (true) {
      int end = chunks.indexOf("\r\n", at);
      String size = end < 0 ? "" : chunks.substring(at, end);
      if (!size.matches("[0-9A-Fa-f]{1,7}")) {
        throw new IOException("the admin port breaks off");
      }
      int length = Integer.parseInt(size, 16);
      if (length == 0) {
        return all.toString();
      }
      at = end + 2;
      if (at + length + 2 > chunks.length()) {
        throw new IOException("the admin port breaks off");
      }
      all.append(chunks, at, at + length);
      at += length + 2;
    }
  }
}
