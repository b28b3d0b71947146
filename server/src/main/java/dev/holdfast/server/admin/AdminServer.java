// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.PortErrors;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin port: an HTTP server. Nothing that a caller sends or leaves unsent keeps it from
 * answering others: threads, time, connections, headers and queues are limited.
 */
public final class AdminServer implements AutoCloseable {
  /*
   * The JDK's server reads these once per process, when its classes are loaded. A small answer
   * would wait for the caller's delayed acknowledgement if it were not for the first.
   */
  private static final Map<String, String> JDK_LIMITS =
      new TreeMap<>(
          Map.of(
              "sun.net.httpserver.nodelay", "true",
              "sun.net.httpserver.maxReqHeaders", "100",
              "sun.net.httpserver.maxReqHeaderSize", "65536",
              "sun.net.httpserver.idleInterval", "30",
              "jdk.httpserver.maxConnections", "256"));

  private static final Map<String, String> HEADERS =
      new TreeMap<>(
          Map.of(
              "Cache-Control", "no-store",
              "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
              "Cross-Origin-Resource-Policy", "same-origin",
              "Referrer-Policy", "no-referrer",
              "X-Content-Type-Options", "nosniff"));

  private static final List<String> READING = List.of("GET", "HEAD");
  private static final String EVENTS = "/api/v1/events";
  private static final int BACKLOG = 64;
  private static final Logger log = LoggerFactory.getLogger(AdminServer.class);

  static {
    JDK_LIMITS.forEach(
        (name, value) -> {
          if (System.getProperty(name) == null) {
            System.setProperty(name, value);
          }
        });
  }

  private final HttpServer server;
  private final ListenAddress address;
  private final RequestThreads workers;
  private final EventStreams events;
  private final AccessControl gate;
  private final Api api;
  private final Actions actions;
  private final ConsoleHandler pages = new ConsoleHandler();

  private AdminServer(
      HttpServer server,
      ListenAddress address,
      RequestThreads workers,
      EventStreams events,
      AccessControl gate,
      Api api,
      Actions actions) {
    this.server = server;
    this.address = address;
    this.workers = workers;
    this.events = events;
    this.gate = gate;
    this.api = api;
    this.actions = actions;
  }

  /**
   * Begins to listen.
   *
   * @param version of the program; nothing else is told of it
   * @throws StartException if it cannot, or should not
   */
  public static AdminServer start(
      ServeOptions.Admin options, Reports reports, History history, String version)
      throws StartException {
    return start(options, reports, history, ServerInfo.of(version));
  }

  /**
   * Begins to listen.
   *
   * @param info what is told of the program itself
   * @throws StartException if it cannot, or should not
   */
  public static AdminServer start(
      ServeOptions.Admin options, Reports reports, History history, ServerInfo info)
      throws StartException {
    return start(options, reports, history, info, AdminSettings.defaults());
  }

  static AdminServer start(
      ServeOptions.Admin options,
      Reports reports,
      History history,
      ServerInfo info,
      AdminSettings settings)
      throws StartException {
    ListenAddress wanted = options.address();
    try {
      boolean loopback = wanted.isLoopback();
      if (!loopback && options.token().isEmpty()) {
        throw new StartException(
            "admin: "
                + wanted
                + " can be reached from other machines (expected: a loopback address, or a token:"
                + " --admin-token-file)");
      }
      HttpServer server = HttpServer.create(wanted.resolve(), BACKLOG);
      ReportTimeout patience = new ReportTimeout(settings.patience());
      EventStreams events = new EventStreams(reports, settings.events(), settings.time());
      AdminServer admin =
          new AdminServer(
              server,
              wanted.withPort(server.getAddress().getPort()),
              new RequestThreads(
                  "holdfast-admin",
                  settings.workers(),
                  settings.waiting(),
                  settings.longestRequest(),
                  settings.time()),
              events,
              new AccessControl(options.token(), loopback),
              new Api(
                  reports,
                  history,
                  patience,
                  new Metrics(info.version(), events::count),
                  new SummaryJson(info.version(), settings.time()),
                  info),
              new Actions(reports, patience));
      server.setExecutor(admin.workers);
      server.createContext("/", admin::handle);
      server.start();
      return admin;
    } catch (IOException e) {
      throw PortErrors.cannotListen("admin", "--admin-address", wanted, e);
    }
  }

  /** Where it listens; the port is the real one. */
  public ListenAddress address() {
    return address;
  }

  @Override
  public void close() {
    events.close();
    server.stop(/* delay= */ 0);
    workers.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    HEADERS.forEach(exchange.getResponseHeaders()::set);
    HttpResponse answer;
    try {
      RequestTarget target = RequestTarget.of(exchange.getRequestURI());
      gate.check(exchange, target.path());
      String method = exchange.getRequestMethod();
      if (target.path().equals(EVENTS) && method.equals("GET")) {
        events.serve(exchange, lastEvent(exchange.getRequestHeaders(), target.allow("after")));
        return;
      }
      answer =
          Actions.isOne(target)
              ? actions.answer(method, exchange.getRequestHeaders(), target)
              : read(method, exchange.getRequestHeaders(), target);
    } catch (HttpProblem e) {
      answer = e.answer();
    } catch (RejectedExecutionException e) {
      answer = HttpProblem.unavailable("the server stops").answer(); // its inside has already
    } catch (RuntimeException e) {
      log.error("admin request failed", e);
      answer = HttpProblem.internal().answer();
    }
    send(exchange, answer);
  }

  private HttpResponse read(String method, Headers headers, RequestTarget target) {
    if (!READING.contains(method)) {
      throw HttpProblem.methodNotAllowed(method, READING);
    }
    if (ConsoleHandler.isOne(target.path())) {
      return pages.answer(headers, target);
    }
    return target.path().equals(EVENTS)
        ? new HttpResponse(200, "text/event-stream; charset=utf-8", new byte[0], Map.of())
        : api.answer(target);
  }

  /** Browsers say it in a header when they come back; others may find a parameter easier. */
  private static OptionalLong lastEvent(Headers headers, RequestTarget target) {
    String header = headers.getFirst("Last-Event-ID");
    if (header != null && header.matches("[0-9]{1,18}")) {
      return OptionalLong.of(Long.parseLong(header));
    }
    return target.query().containsKey("after")
        ? OptionalLong.of(target.number("after", 0, Long.MAX_VALUE - 1, 0))
        : OptionalLong.empty();
  }

  private static void send(HttpExchange exchange, HttpResponse answer) throws IOException {
    try (exchange) {
      Headers headers = exchange.getResponseHeaders();
      headers.set("Content-Type", answer.contentType());
      answer.headers().forEach(headers::set);
      if (exchange.getRequestMethod().equals("HEAD") && answer.status() != 304) {
        headers.set("Content-Length", Integer.toString(answer.body().length));
        exchange.sendResponseHeaders(answer.status(), -1);
      } else if (answer.body().length == 0) {
        exchange.sendResponseHeaders(answer.status(), -1); // 0 would mean: of any length
      } else {
        exchange.sendResponseHeaders(answer.status(), answer.body().length);
        exchange.getResponseBody().write(answer.body());
      }
    }
  }
}
