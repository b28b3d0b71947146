// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.server.FakeReports;
import dev.holdfast.server.options.AdminSecurity;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/** An admin server on a port of its own, and ways to talk to it. */
final class RunningAdmin implements AutoCloseable {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final int TIMEOUT_MILLIS = 60_000;

  final FakeReports reports = new FakeReports();
  final List<History.Entry> past = new ArrayList<>();
  final List<History.Query> queries = new ArrayList<>();
  final AdminServer server;
  volatile SourceReport source = SourceReport.NONE;

  RunningAdmin() throws StartException {
    this("", AdminSettings.defaults());
  }

  RunningAdmin(String token, AdminSettings settings) throws StartException {
    this(new ServeOptions.Admin(new ListenAddress("127.0.0.1", 0), token), settings);
  }

  RunningAdmin(AdminSecurity security) throws StartException {
    this(
        new ServeOptions.Admin(new ListenAddress("127.0.0.1", 0), security),
        AdminSettings.defaults());
  }

  private RunningAdmin(ServeOptions.Admin options, AdminSettings settings) throws StartException {
    server =
        AdminServer.start(
            options,
            reports,
            query -> {
              queries.add(query);
              return past;
            },
            new ServerInfo("1.2.3", null, "", () -> null, () -> source),
            settings);
  }

  int port() {
    return server.address().port();
  }

  HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    return send("GET", path, headers);
  }

  HttpResponse<String> send(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://" + server.address() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  JsonObject json(String path) throws IOException, InterruptedException {
    return JsonParser.parseString(get(path).body()).getAsJsonObject();
  }

  /** A connection that a test uses as it likes. */
  Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  /** Everything that comes back for bytes that need not be a request. */
  String raw(String bytes) throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(bytes.getBytes(UTF_8));
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
