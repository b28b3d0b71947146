// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import dev.holdfast.base.TimeSource;
import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.report.Distribution;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.InternalErrorReport;
import dev.holdfast.controlplane.report.StateProblem;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.report.Totals.TypeTotals;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.server.trace.TraceReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The metrics of the control plane, the admin port and the process. */
final class Metrics {
  private static final String COUNTER = "counter";
  private static final String GAUGE = "gauge";
  private static final String TYPE = "type";

  private final String version;
  private final TimeSource time;
  private final IntSupplier eventStreams;
  private final LongSupplier eventStreamsRefused;
  private final IntSupplier connections;
  private final ProcessMetrics process = new ProcessMetrics();

  Metrics(
      String version,
      TimeSource time,
      IntSupplier eventStreams,
      LongSupplier eventStreamsRefused,
      IntSupplier connections) {
    this.version = version;
    this.time = time;
    this.eventStreams = eventStreams;
    this.eventStreamsRefused = eventStreamsRefused;
    this.connections = connections;
  }

  byte[] text(
      Totals totals,
      DeletionsReport deletions,
      List<FleetReport> fleets,
      boolean ready,
      @Nullable StateProblem stateProblem,
      SortedMap<String, Long> refusals,
      InternalErrorReport internalErrors,
      SourceReport source,
      SecurityReport security,
      @Nullable TraceReport traces) {
    PrometheusText text = new PrometheusText();
    text.family("holdfast_build_info", GAUGE, "Always 1; the version is in the label.")
        .sample(1, "version", version);
    text.family(
            "holdfast_ready", GAUGE, "1 when all objects have been read and are served, else 0.")
        .sample(ready ? 1 : 0);
    text.family(
            "holdfast_state_writable",
            GAUGE,
            "1, or 0 while the state cannot be written and edits wait.")
        .sample(stateProblem == null ? 1 : 0);
    text.family(
            "holdfast_internal_errors_total",
            COUNTER,
            "Errors in the control plane itself, which it survived.")
        .sample(internalErrors.count());
    text.family("holdfast_objects", GAUGE, "Objects by kind.")
        .samples("kind", new TreeMap<>(totals.objects()));
    text.family(
            "holdfast_objects_programmed",
            GAUGE,
            "Objects by the reason of their condition Programmed.")
        .samples("reason", new TreeMap<>(totals.programmed()));
    text.family("holdfast_objects_invalid", GAUGE, "Objects that are not valid.")
        .sample(totals.invalid());
    text.family("holdfast_objects_state", GAUGE, "Objects by state; each has exactly one.")
        .samples("state", new TreeMap<>(totals.states()));
    text.family("holdfast_problems", GAUGE, "What get problems lists, without warnings.")
        .sample(totals.problems());
    text.family("holdfast_warnings", GAUGE, "Objects with warnings.").sample(totals.warnings());
    text.family("holdfast_held_objects", GAUGE, "Held objects by reason.")
        .samples("reason", new TreeMap<>(totals.held()));
    text.family(
            "holdfast_deletions_waiting",
            GAUGE,
            "Objects that are gone from the source and served until their deletion is confirmed.")
        .sample(deletions.items().size());
    text.family(
            "holdfast_search_pushes_total",
            COUNTER,
            "Trials run by searches for offending objects.")
        .sample(totals.searches().pushes());
    text.family(
            "holdfast_search_seconds",
            "summary",
            "Time from a rejection to the end of its incident.")
        .part("_sum", seconds(totals.searches().time()))
        .part("_count", totals.searches().ended());
    text.family("holdfast_source_problems", GAUGE, "Problems of the object source.")
        .sample(totals.sourceProblems());
    source(text, source);
    text.family("holdfast_proxies", GAUGE, "Connected proxies.").sample(totals.proxies());
    text.family(
        "holdfast_fleet_proxies", GAUGE, "Connected proxies of the fleets that are expected.");
    fleets.forEach(fleet -> text.sample(fleet.connected(), "fleet", fleet.name()));
    text.family(
        "holdfast_fleet_proxies_expected", GAUGE, "How many proxies of a fleet are expected.");
    fleets.forEach(fleet -> text.sample(fleet.expected(), "fleet", fleet.name()));
    text.family("holdfast_streams", GAUGE, "Open xDS streams.").sample(totals.streams());
    text.family(
            "holdfast_diverged_proxies",
            GAUGE,
            "Proxies that rejected a configuration that other proxies of their class run.")
        .sample(totals.diverged());
    text.family(
            "holdfast_unable_proxies",
            GAUGE,
            "Proxies that cannot apply a resource because of a local problem.")
        .sample(totals.unable());
    byType(text, new TreeMap<>(totals.byType()));
    text.family(
            "holdfast_suppressed_resources_total",
            COUNTER,
            "Resources not sent because the proxy had rejected the same bytes.")
        .sample(totals.suppressed());
    SortedMap<String, Long> refused = new TreeMap<>(refusals);
    refused.put("eventStreams", eventStreamsRefused.getAsLong());
    text.family("holdfast_refused_total", COUNTER, "What was refused because of a limit.");
    refused.forEach((limit, count) -> text.sample(count, "limit", limit));
    security(text, security);
    traces(text, traces);
    text.family("holdfast_event_streams", GAUGE, "Open event streams of the admin API.")
        .sample(eventStreams.getAsInt());
    text.family("holdfast_admin_connections", GAUGE, "Open connections of the admin port.")
        .sample(connections.getAsInt());
    process.write(text);
    return text.bytes();
  }

  private static void traces(PrometheusText text, @Nullable TraceReport traces) {
    if (traces != null) {
      text.family("holdfast_trace_spans_total", COUNTER, "Spans of traces of changes, by result.")
          .sample(traces.exported(), "result", "exported")
          .sample(traces.dropped(), "result", "dropped")
          .sample(traces.failed(), "result", "failed");
    }
  }

  private static void security(PrometheusText text, SecurityReport security) {
    text.family(
        "holdfast_xds_clients_refused_total",
        COUNTER,
        "Clients of the xDS port that were not let in, by reason.");
    security.refused().forEach((reason, count) -> text.sample(count, "reason", reason));
    Instant end = security.certificateEnd();
    if (end != null) {
      text.family(
              "holdfast_xds_certificate_expiry_seconds",
              GAUGE,
              "When the certificate of the xDS port expires, in seconds since 1970.")
          .sample(end.getEpochSecond());
    }
  }

  private void source(PrometheusText text, SourceReport source) {
    text.family(
        "holdfast_source_stale_seconds",
        GAUGE,
        "How long the objects of a kind have not been known to be current; 0 if they are.");
    for (SourceReport.Kind kind : source.kinds()) {
      double stale = kind.isStale() ? seconds(Duration.between(kind.since(), time.now())) : 0;
      text.sample(Math.max(0, stale), "kind", kind.kind(), "namespace", kind.namespace());
    }
    text.family(
            "holdfast_statuses_waiting",
            GAUGE,
            "Statuses that wait to be written to the objects in Kubernetes.")
        .sample(source.waitingStatuses());
  }

  private static void byType(PrometheusText text, Map<ResourceType, TypeTotals> types) {
    each(text, types, GAUGE, "holdfast_resources", "Resources being served.", t -> t.resources());
    each(text, types, COUNTER, "holdfast_responses_total", "Responses sent.", t -> t.responses());
    each(text, types, COUNTER, "holdfast_acks_total", "Responses accepted.", t -> t.acks());
    byClass(text, types, "holdfast_nacks_total", "Responses rejected.", t -> t.nacks());
    byClass(
        text,
        types,
        "holdfast_unable_total",
        "Resources that a proxy could not apply because of a local problem.",
        t -> t.unable());
    each(text, types, COUNTER, "holdfast_response_bytes_total", "Bytes sent.", t -> t.bytes());
    each(
        text,
        types,
        GAUGE,
        "holdfast_oldest_unanswered_seconds",
        "Age of the oldest response without an ACK or NACK.",
        t -> seconds(t.oldestUnanswered()));
    text.family(
        "holdfast_answer_seconds", "histogram", "Time from a response to the proxy's ACK or NACK.");
    types.forEach((type, t) -> histogram(text, type.word(), t.answers()));
  }

  private static void histogram(PrometheusText text, String type, Distribution answers) {
    for (Distribution.Bucket bucket : answers.buckets()) {
      String most = Double.toString(seconds(bucket.most()));
      text.part("_bucket", bucket.count(), TYPE, type, "le", most);
    }
    text.part("_bucket", answers.count(), TYPE, type, "le", "+Inf")
        .part("_sum", seconds(answers.sum()), TYPE, type)
        .part("_count", answers.count(), TYPE, type);
  }

  /** A counter for each class that has counted anything. */
  private static void byClass(
      PrometheusText text,
      Map<ResourceType, TypeTotals> types,
      String name,
      String help,
      Function<TypeTotals, Map<String, Long>> values) {
    text.family(name, COUNTER, help);
    types.forEach(
        (type, totals) ->
            new TreeMap<>(values.apply(totals))
                .forEach(
                    (proxyClass, value) ->
                        text.sample(value, TYPE, type.word(), "class", proxyClass)));
  }

  private static void each(
      PrometheusText text,
      Map<ResourceType, TypeTotals> types,
      String sort,
      String name,
      String help,
      Function<TypeTotals, Number> value) {
    text.family(name, sort, help);
    types.forEach((type, totals) -> text.sample(value.apply(totals), TYPE, type.word()));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
