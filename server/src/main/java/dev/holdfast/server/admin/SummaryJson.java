// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.base.TimeSource;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.StateProblem;
import dev.holdfast.controlplane.report.Totals;
import dev.holdfast.controlplane.report.Totals.TypeTotals;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes the summary as docs/admin-api.md describes it.
 *
 * @param version of the program
 */
record SummaryJson(String version, TimeSource time) {
  byte[] json(
      Totals totals,
      List<LocatedProblem> sourceProblems,
      DeletionsReport deletions,
      List<FleetReport> fleets,
      @Nullable StateProblem stateProblem,
      boolean ready) {
    return JsonText.of(
        json -> write(json, totals, sourceProblems, deletions, fleets, stateProblem, ready));
  }

  private void write(
      JsonWriter json,
      Totals totals,
      List<LocatedProblem> sourceProblems,
      DeletionsReport deletions,
      List<FleetReport> fleets,
      @Nullable StateProblem stateProblem,
      boolean ready)
      throws IOException {
    json.beginObject();
    json.name("version").value(version);
    json.name("now").value(Times.text(time.now()));
    json.name("ready").value(ready);
    json.name("objects");
    objects(json, totals);
    json.name("proxies");
    proxies(json, totals);
    json.name("fleets");
    JsonText.array(json, fleets, ProxyJson::fleet);
    json.name("resources").value(sum(totals, TypeTotals::resources));
    json.name("responses").value(sum(totals, TypeTotals::responses));
    json.name("acks").value(sum(totals, TypeTotals::acks));
    json.name("nacks").value(sum(totals, type -> total(type.nacks())));
    json.name("problems").value(totals.problems());
    json.name("warnings").value(totals.warnings());
    json.name("deletionsWaiting").value(deletions.items().size());
    json.name("sourceProblems");
    JsonText.strings(json, sourceProblems.stream().map(LocatedProblem::toString).toList());
    json.name("stateProblem");
    state(json, stateProblem);
    json.endObject();
  }

  private static void state(JsonWriter json, @Nullable StateProblem problem) throws IOException {
    if (problem == null) {
      json.nullValue();
      return;
    }
    json.beginObject();
    json.name("message").value(problem.message());
    json.name("since").value(Times.text(problem.since()));
    json.endObject();
  }

  private static void objects(JsonWriter json, Totals totals) throws IOException {
    json.beginObject();
    json.name("total").value(total(totals.objects()));
    json.name("byKind");
    counts(json, totals.objects());
    json.name("programmed");
    counts(json, totals.programmed());
    json.name("held");
    counts(json, totals.held());
    json.name("invalid").value(totals.invalid());
    json.name("states");
    counts(json, totals.states());
    json.endObject();
  }

  private static void proxies(JsonWriter json, Totals totals) throws IOException {
    json.beginObject();
    json.name("connected").value(totals.proxies());
    json.name("streams").value(totals.streams());
    json.name("diverged").value(totals.diverged());
    json.name("unable").value(totals.unable());
    json.endObject();
  }

  private static void counts(JsonWriter json, Map<String, Integer> counts) throws IOException {
    json.beginObject();
    for (Map.Entry<String, Integer> entry : new TreeMap<>(counts).entrySet()) {
      json.name(entry.getKey()).value(entry.getValue());
    }
    json.endObject();
  }

  private static long sum(Totals totals, ToLongFunction<TypeTotals> number) {
    return totals.byType().values().stream().mapToLong(number).sum();
  }

  private static long total(Map<String, ? extends Number> counts) {
    return counts.values().stream().mapToLong(Number::longValue).sum();
  }
}
