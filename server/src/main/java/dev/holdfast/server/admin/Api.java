// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.IncidentReport;
import dev.holdfast.controlplane.report.InternalErrorReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.Reports;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.report.StateProblem;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.server.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Routes every request except event streams to a response or a problem. */
final class Api {
  private static final int DEFAULT_HISTORY = 100;
  private static final int MOST_HISTORY = 1000;

  private final Reports reports;
  private final History history;
  private final ReportTimeout reportTimeout;
  private final Metrics metrics;
  private final SummaryJson summary;
  private final ServerInfo server;

  Api(
      Reports reports,
      History history,
      ReportTimeout reportTimeout,
      Metrics metrics,
      SummaryJson summary,
      ServerInfo server) {
    this.reports = reports;
    this.history = history;
    this.reportTimeout = reportTimeout;
    this.metrics = metrics;
    this.summary = summary;
    this.server = server;
  }

  /**
   * @throws HttpProblem if there is no such answer
   */
  HttpResponse answer(RequestTarget target) {
    return switch (target.path()) {
      case "/healthz" -> HttpResponse.text(200, "ok\n");
      case "/readyz" -> readiness();
      case "/metrics" -> metrics();
      case "/api/v1/summary" -> summary(target.allow());
      case "/api/v1/server" -> server(target.allow());
      case "/api/v1/source" -> source(target.allow());
      case "/api/v1/objects" -> objects(target.allow("kind", "namespace"));
      case "/api/v1/proxies" -> proxies(target.allow());
      case "/api/v1/resources" -> resources(target.allow("type"));
      case "/api/v1/holds" -> holds(target.allow("kind", "namespace"));
      case "/api/v1/problems" -> problems(target.allow("kind", "namespace"));
      case "/api/v1/deletions" -> deletions(target.allow());
      case "/api/v1/incidents" -> incidents(target.allow());
      case "/api/v1/history" -> history(target.allow("limit", "before", "object"));
      default -> one(target);
    };
  }

  private HttpResponse one(RequestTarget target) {
    String object = target.after("/api/v1/objects/");
    if (object != null) {
      return object(object.split("/", -1));
    }
    String incident = target.after("/api/v1/incidents/");
    if (incident != null) {
      return incident(incident);
    }
    String resource = target.after("/api/v1/resources/");
    if (resource != null) {
      return resource(resource);
    }
    throw HttpProblem.notFound(
        "path: " + target.path() + " (expected: a path listed in docs/admin-api.md)");
  }

  private HttpResponse metrics() {
    // Asked for together, so that they wait for others only once.
    CompletionStage<Totals> totals = reports.totals();
    CompletionStage<DeletionsReport> deletions = reports.deletions();
    CompletionStage<List<FleetReport>> fleets = reports.fleets();
    return new HttpResponse(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        metrics.text(
            await(totals),
            await(deletions),
            await(fleets),
            reports.ready(),
            reports.stateProblem(),
            reports.refusals(),
            reports.internalErrors(),
            server.source().get(),
            server.security().get(),
            server.traces().get()),
        Map.of());
  }

  private HttpResponse readiness() {
    if (!reports.ready()) {
      return HttpResponse.text(503, "not ready: objects have not been read yet\n");
    }
    // Still ready: whoever asks would else keep proxies away that need what is served.
    List<String> flaws = new ArrayList<>();
    SourceReport.Kind stale = server.source().get().stalest();
    if (stale != null) {
      flaws.add(
          "the source is stale since "
              + Times.text(stale.since())
              + ": "
              + stale
              + (stale.reason().isEmpty() ? "" : ": " + stale.reason()));
    }
    StateProblem waiting = reports.stateProblem();
    if (waiting != null) {
      flaws.add("edits wait since " + Times.text(waiting.since()) + ": " + waiting.message());
    }
    InternalErrorReport errors = reports.internalErrors();
    Instant last = errors.last();
    if (last != null) {
      flaws.add(
          "there were "
              + errors.count()
              + " internal errors, the last at "
              + Times.text(last)
              + ": "
              + errors.message());
    }
    return HttpResponse.text(
        200, "ready" + (flaws.isEmpty() ? "" : ", but " + String.join("; ", flaws)) + "\n");
  }

  private HttpResponse source(RequestTarget unused) {
    return HttpResponse.json(JsonText.of(json -> SourceJson.write(json, server.source().get())));
  }

  private HttpResponse summary(RequestTarget unused) {
    return HttpResponse.json(
        summary.json(
            await(reports.totals()),
            await(reports.sourceProblems()),
            await(reports.deletions()),
            await(reports.fleets()),
            reports.stateProblem(),
            reports.ready()));
  }

  private HttpResponse server(RequestTarget unused) {
    return HttpResponse.json(JsonText.of(json -> ServerJson.write(json, server, reports.ready())));
  }

  private HttpResponse objects(RequestTarget target) {
    Predicate<ObjectKey> wanted = wanted(target);
    return HttpResponse.json(
        JsonText.items(
            await(reports.objects()).stream().filter(r -> wanted.test(r.key())).toList(),
            ObjectJson::summary));
  }

  private static Predicate<ObjectKey> wanted(RequestTarget target) {
    return key ->
        matches(target.query().get("kind"), key.kind())
            && matches(target.query().get("namespace"), key.namespace());
  }

  private static boolean matches(@Nullable String wanted, String actual) {
    return wanted == null || wanted.equals(actual);
  }

  private HttpResponse object(String[] segments) {
    if (segments.length != 3) {
      throw HttpProblem.notFound("path: not an object (expected: KIND/NAMESPACE/NAME)");
    }
    ObjectKey key =
        new ObjectKey(
            RequestTarget.decode(segments[0]),
            RequestTarget.decode(segments[1]),
            RequestTarget.decode(segments[2]));
    ObjectReport report =
        await(reports.object(key))
            .orElseThrow(() -> HttpProblem.notFound("object: " + key + ": not found"));
    return HttpResponse.json(JsonText.of(json -> ObjectJson.whole(json, report)));
  }

  private HttpResponse proxies(RequestTarget unused) {
    List<ProxyReport> proxies = await(reports.proxies());
    List<FleetReport> fleets = await(reports.fleets());
    return HttpResponse.json(JsonText.of(json -> ProxyJson.list(json, proxies, fleets)));
  }

  private HttpResponse resources(RequestTarget target) {
    String word = target.query().get("type");
    ResourceType type = word == null ? null : type(word);
    if (word != null && type == null) {
      throw HttpProblem.badRequest("type: " + word + " (expected: one of " + types() + ")");
    }
    List<ResourceReport> wanted =
        await(reports.resources()).stream()
            .filter(report -> type == null || report.resource().id().type() == type)
            .toList();
    return HttpResponse.json(JsonText.items(wanted, ResourceJson::summary));
  }

  private HttpResponse holds(RequestTarget target) {
    Predicate<ObjectKey> wanted = wanted(target);
    return HttpResponse.json(
        JsonText.items(
            await(reports.holds()).stream().filter(r -> wanted.test(r.key())).toList(),
            HoldJson::hold));
  }

  /** Files and proxies have no kind and no namespace, but a file may affect objects. */
  private HttpResponse problems(RequestTarget target) {
    ObjectKey none = new ObjectKey("", "", "");
    Predicate<ObjectKey> wanted = wanted(target);
    return HttpResponse.json(
        JsonText.items(
            await(reports.problems()).stream()
                .filter(
                    report ->
                        wanted.test(report.object() == null ? none : report.object())
                            || report.affected().stream().anyMatch(wanted))
                .toList(),
            ProblemJson::write));
  }

  private HttpResponse deletions(RequestTarget unused) {
    return HttpResponse.json(
        JsonText.of(json -> DeletionJson.write(json, await(reports.deletions()))));
  }

  private HttpResponse incidents(RequestTarget unused) {
    return HttpResponse.json(JsonText.items(await(reports.incidents()), HoldJson::incident));
  }

  private HttpResponse incident(String id) {
    IncidentReport found =
        await(reports.incidents()).stream()
            .filter(report -> Long.toString(report.id()).equals(id))
            .findFirst()
            .orElseThrow(() -> HttpProblem.notFound("incident: " + id + ": not found"));
    return HttpResponse.json(JsonText.of(json -> HoldJson.incident(json, found)));
  }

  /** The name may hold slashes, encoded or not. */
  private HttpResponse resource(String path) {
    int slash = path.indexOf('/');
    String word = RequestTarget.decode(slash < 0 ? path : path.substring(0, slash));
    ResourceType type = type(word);
    if (slash < 0 || type == null) {
      throw HttpProblem.notFound(
          "path: not a resource (expected: TYPE/NAME with TYPE one of " + types() + ")");
    }
    ResourceId id = new ResourceId(type, RequestTarget.decode(path.substring(slash + 1)));
    ResourceReport report =
        await(reports.resource(id))
            .orElseThrow(() -> HttpProblem.notFound("resource: " + id + ": not found"));
    return HttpResponse.json(JsonText.of(json -> ResourceJson.whole(json, report)));
  }

  /** By its word or by the full name of its message; null if there is none. */
  private static @Nullable ResourceType type(String word) {
    for (ResourceType type : ResourceType.ALL) {
      if (type.word().equalsIgnoreCase(word) || type.typeUrl().endsWith("/" + word)) {
        return type;
      }
    }
    return null;
  }

  private static String types() {
    return ResourceType.ALL.stream().map(ResourceType::word).collect(Collectors.joining(", "));
  }

  private HttpResponse history(RequestTarget target) {
    String object = target.query().get("object");
    ObjectKey key = object == null ? null : key(object);
    long before = target.number("before", 1, Long.MAX_VALUE, Long.MAX_VALUE);
    long limit = target.number("limit", 1, MOST_HISTORY, DEFAULT_HISTORY);
    return HttpResponse.json(
        JsonText.items(
            history.read(new History.Query(before, (int) limit, key)), EventJson::entry));
  }

  private static ObjectKey key(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 3) {
      throw HttpProblem.badRequest("object: " + text + " (expected: KIND/NAMESPACE/NAME)");
    }
    return new ObjectKey(parts[0], parts[1], parts[2]);
  }

  private <T> T await(CompletionStage<T> answer) {
    return reportTimeout.await(answer);
  }
}
