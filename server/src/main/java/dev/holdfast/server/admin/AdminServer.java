// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static java.util.Objects.requireNonNull;

import dev.holdfast.controlplane.log.LogArea;
import dev.holdfast.controlplane.log.LogLine;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.server.http.HttpCall;
import dev.holdfast.server.http.HttpPort;
import dev.holdfast.server.http.HttpResponse;
import dev.holdfast.server.http.Peer;
import dev.holdfast.server.http.Request;
import dev.holdfast.server.options.AdminSecurity;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.PortErrors;
import dev.holdfast.server.options.ServeLimits;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.tls.OpenChannels;
import dev.holdfast.server.tls.PortTls;
import dev.holdfast.server.tls.RefusedClients;
import dev.holdfast.server.tls.TlsFiles;
import dev.holdfast.server.tls.TlsProblem;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The admin port: an HTTP server. Nothing that a caller sends or leaves unsent keeps it from
 * answering others: threads, time, connections, headers and queues are limited.
 *
 * <p>Health and readiness are answered on the thread of the connections, which waits for nobody,
 * and metrics on a thread of their own: they are needed most when everything else is slow.
 */
public final class AdminServer implements AutoCloseable {
  /** Those of every answer. */
  static final Map<String, String> HEADERS =
      new TreeMap<>(
          Map.of(
              "Cache-Control", "no-store",
              "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
              "Cross-Origin-Resource-Policy", "same-origin",
              "Referrer-Policy", "no-referrer",
              "X-Content-Type-Options", "nosniff"));

  private static final List<String> READING = List.of("GET", "HEAD");
  private static final int METRICS_WAITING = 32;
  private static final String EVENTS = "/api/v1/events";

  private final RequestThreads workers;
  private final RequestThreads metricsThread;
  private final EventStreams events;
  private final AccessControl access;
  private final Api api;
  private final Actions actions;
  private final AuditLog audit;
  private final RefusedClients refused;
  private final @Nullable PortTls tls;
  private final ConsoleHandler console = new ConsoleHandler();

  /** Null only while it is being opened. */
  private volatile @Nullable HttpPort port;

  private final ListenAddress wanted;

  private AdminServer(
      ServeOptions.Admin options,
      boolean loopback,
      Reports reports,
      History history,
      ServerInfo info,
      AdminSettings settings,
      @Nullable PortTls tls) {
    wanted = options.address();
    this.tls = tls;
    refused = new RefusedClients("admin", settings.time());
    audit = new AuditLog(reports, settings.time());
    workers = threads("holdfast-admin", settings.workers(), settings.waiting(), settings);
    metricsThread = threads("holdfast-metrics", 1, METRICS_WAITING, settings);
    events = new EventStreams(reports, settings.events());
    access = new AccessControl(options.security(), loopback);
    ReportTimeout reportTimeout = new ReportTimeout(settings.reportTimeout());
    api =
        new Api(
            reports,
            history,
            reportTimeout,
            new Metrics(
                info.version(), settings.time(), events::count, events::refused, this::connections),
            new SummaryJson(info.version(), settings.time()),
            info);
    actions = new Actions(reports, reportTimeout);
  }

  private static RequestThreads threads(
      String name, int threads, int waiting, AdminSettings settings) {
    return new RequestThreads(name, threads, waiting, settings.longestRequest(), settings.time());
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

  /** The same with other limits. */
  public static AdminServer start(
      ServeOptions.Admin options,
      ServeLimits limits,
      Reports reports,
      History history,
      ServerInfo info)
      throws StartException {
    return start(
        options,
        reports,
        history,
        info,
        AdminSettings.defaults().withEventStreams(limits.eventStreams()));
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
      AdminSecurity security = options.security();
      if (!loopback && security.tokens().isEmpty() && !security.asksForCertificates()) {
        throw new StartException(
            "admin: "
                + wanted
                + " is reachable from other machines (expected: a loopback address, a token:"
                + " --admin-token-file, or certificates of callers: --admin-client-ca)");
      }
      TlsFiles files = security.tls();
      if (!loopback && files == null) {
        LogArea.ADMIN
            .warn("not-encrypted")
            .with(LogLine.ADDRESS, wanted.toString())
            .log(
                "admin on "
                    + wanted
                    + " is not encrypted: others on the network can read what is sent, tokens"
                    + " included, and nothing can be changed from other machines");
      }
      PortTls tls =
          files == null
              ? null
              : PortTls.open("admin", PortTls.Protocol.HTTP1, files, settings.time());
      AdminServer admin = new AdminServer(options, loopback, reports, history, info, settings, tls);
      try {
        admin.port =
            HttpPort.open(
                "holdfast-http",
                wanted.resolve(),
                settings.http(),
                tls == null ? null : OpenChannels.of(tls, admin.refused),
                admin::handle);
        return admin;
      } finally {
        if (admin.port == null) {
          admin.close();
        }
      }
    } catch (IOException e) {
      throw PortErrors.cannotListen("admin", "--admin-address", wanted, e);
    }
  }

  /** Where it listens; the port is the real one. */
  public ListenAddress address() {
    return wanted.withPort(requireNonNull(port, "port").port());
  }

  /** Where it is, for people. */
  public String url() {
    return (tls == null ? "http://" : "https://") + address();
  }

  /** What is wrong with the files for TLS; null if nothing is. */
  public @Nullable TlsProblem problem() {
    return tls == null ? null : tls.problem();
  }

  private int connections() {
    return port == null ? 0 : port.connections();
  }

  @Override
  public void close() {
    events.close();
    if (port != null) {
      port.close();
    }
    workers.close();
    metricsThread.close();
    audit.close();
    refused.close();
    if (tls != null) {
      tls.close();
    }
  }

  /** On the thread of the connections: finds out who answers. */
  private void handle(HttpCall call) {
    try {
      Request request = call.request();
      RequestTarget target = RequestTarget.of(uri(request));
      Caller caller = check(call, target);
      if (target.path().equals(EVENTS) && request.method().equals("GET")) {
        events.serve(call, lastEvent(request, target.allow("after")));
      } else {
        executor(target.path()).execute(() -> answer(call, caller, target));
      }
    } catch (HttpProblem e) {
      send(call, e.answer());
    } catch (RejectedExecutionException e) {
      send(call, HttpProblem.unavailable("too many requests at once; try again").answer());
    } catch (RuntimeException e) {
      LogArea.ADMIN.error("internal-error").cause(e).log("admin request failed");
      send(call, HttpProblem.internal().answer());
    }
  }

  private Caller check(HttpCall call, RequestTarget target) {
    Request request = call.request();
    Peer peer = call.peer();
    boolean isWrite = Actions.isOne(target) && !READING.contains(request.method());
    String name = Caller.ANONYMOUS;
    try {
      Caller caller = access.check(request, peer, target.path());
      name = caller.name();
      if (isWrite) {
        access.checkWrite(caller, peer);
      }
      return caller;
    } catch (HttpProblem e) {
      if (isWrite) {
        audit.refused(name, peer, Actions.describe(target), String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  private static URI uri(Request request) {
    try {
      return new URI(request.uri());
    } catch (URISyntaxException e) {
      throw HttpProblem.badRequest("path: not a URI (expected: such as /api/v1/objects)");
    }
  }

  private Executor executor(String path) {
    return switch (path) {
      case "/healthz", "/readyz" -> Runnable::run;
      case "/metrics" -> metricsThread;
      default -> workers;
    };
  }

  private void answer(HttpCall call, Caller caller, RequestTarget target) {
    HttpResponse answer;
    String outcome = "done";
    try {
      answer =
          Actions.isOne(target)
              ? actions.answer(call.request(), target)
              : read(call.request(), target);
    } catch (HttpProblem e) {
      answer = e.answer();
      outcome = "not done: " + e.getMessage();
    } catch (RejectedExecutionException e) {
      outcome = "not done: the server is shutting down";
      answer =
          HttpProblem.unavailable("the server is shutting down").answer(); // its inside has already
    } catch (RuntimeException e) {
      LogArea.ADMIN.error("internal-error").cause(e).log("admin request failed");
      answer = HttpProblem.internal().answer();
      outcome = "failed: internal error";
    }
    if (Actions.isOne(target) && call.request().method().equals("POST")) {
      audit.done(caller, call.peer(), Actions.describe(target), Actions.object(target), outcome);
    }
    send(call, answer);
  }

  private HttpResponse read(Request request, RequestTarget target) {
    if (!READING.contains(request.method())) {
      throw HttpProblem.methodNotAllowed(request.method(), READING);
    }
    if (ConsoleHandler.isOne(target.path())) {
      return console.answer(request, target);
    }
    return target.path().equals(EVENTS)
        ? new HttpResponse(200, EventStream.CONTENT_TYPE, new byte[0], Map.of())
        : api.answer(target);
  }

  /** Browsers say it in a header when they come back; others may find a parameter easier. */
  private static OptionalLong lastEvent(Request request, RequestTarget target) {
    String header = request.only("Last-Event-ID");
    if (header != null && header.matches("[0-9]{1,18}")) {
      return OptionalLong.of(Long.parseLong(header));
    }
    return target.query().containsKey("after")
        ? OptionalLong.of(target.number("after", 0, Long.MAX_VALUE - 1, 0))
        : OptionalLong.empty();
  }

  private static void send(HttpCall call, HttpResponse answer) {
    Map<String, String> headers = new TreeMap<>(HEADERS);
    headers.putAll(answer.headers());
    call.answer(new HttpResponse(answer.status(), answer.contentType(), answer.body(), headers));
  }
}
