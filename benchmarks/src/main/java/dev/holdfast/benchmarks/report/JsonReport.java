// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/** A report as one JSON document. */
public final class JsonReport {
  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().serializeNulls().create();

  private JsonReport() {}

  public static String render(Report report) {
    JsonObject json = new JsonObject();
    json.addProperty("ours", report.ours());
    json.addProperty("peer", report.peer());
    JsonArray setting = new JsonArray();
    report.setting().forEach(setting::add);
    json.add("setting", setting);
    JsonArray rows = new JsonArray();
    report.rows().forEach(row -> rows.add(row(row)));
    json.add("rows", rows);
    return GSON.toJson(json) + "\n";
  }

  private static JsonObject row(Row row) {
    JsonObject json = new JsonObject();
    json.addProperty("id", row.id());
    json.addProperty("title", row.title());
    json.addProperty("unit", row.unit().text());
    json.add("ours", samples(row.ours()));
    json.add("peer", samples(row.peer()));
    json.addProperty("ratio", row.ratio().isPresent() ? (Number) row.ratio().getAsDouble() : null);
    json.addProperty("aim", row.aim());
    json.addProperty("most", row.most());
    json.addProperty("verdict", row.verdict().text());
    return json;
  }

  private static JsonElement samples(@Nullable Samples samples) {
    if (samples == null) {
      return JsonNull.INSTANCE;
    }
    JsonObject json = new JsonObject();
    json.addProperty("median", samples.median());
    json.addProperty("q1", samples.quantile(0.25));
    json.addProperty("q3", samples.quantile(0.75));
    json.addProperty("min", samples.quantile(0));
    json.addProperty("max", samples.quantile(1));
    json.addProperty("count", samples.count());
    return json;
  }
}
