// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.attribution;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.benchmarks.report.Samples;
import java.io.PrintStream;

/** The command's third part: measures searches, and prints what they cost. */
public final class AttributionMain {
  /** What the command is asked for with. */
  public static final String WORD = "attribution";

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private AttributionMain() {}

  public static int run(PrintStream out, PrintStream err, String... arguments) {
    AttributionOptions options;
    try {
      options = AttributionOptions.parse(arguments);
    } catch (AttributionOptions.UsageException e) {
      err.println(e.getMessage());
      err.print(AttributionOptions.USAGE);
      return 2;
    }
    System.setProperty("slf4j.internal.verbosity", "ERROR"); // nobody listens to logs here
    AttributionResult result = new Attribution(options, err).run();
    out.print(options.json() ? json(result) : AttributionText.render(result, options));
    return 0;
  }

  private static String json(AttributionResult result) {
    JsonObject json = new JsonObject();
    JsonArray setting = new JsonArray();
    result.setting().forEach(setting::add);
    json.add("setting", setting);
    JsonArray table = new JsonArray();
    for (AttributionResult.Cell cell : result.cells()) {
      JsonObject row = new JsonObject();
      row.addProperty("changes", cell.size());
      row.addProperty("bad", cell.badObjects());
      row.addProperty("seeds", cell.seeds());
      row.addProperty("meanPushes", cell.mean());
      row.addProperty("mostPushes", cell.most());
      row.addProperty("bound", cell.bound());
      table.add(row);
    }
    json.add("pushes", table);
    JsonArray perPush = new JsonArray();
    for (AttributionResult.PerPush measured : result.perPush()) {
      JsonObject row = new JsonObject();
      row.addProperty("objects", measured.served());
      row.addProperty("changed", measured.changed());
      row.add("cpuMillis", samples(measured.cpuMillis()));
      row.add("kibibytes", samples(measured.kibibytes()));
      perPush.add(row);
    }
    json.add("perPush", perPush);
    JsonArray confirmations = new JsonArray();
    for (AttributionResult.Confirmation measured : result.confirmations()) {
      JsonObject row = new JsonObject();
      row.addProperty("proxies", measured.proxies());
      row.addProperty("changed", measured.changed());
      row.addProperty("bad", measured.badObjects());
      row.add("alone", cost(measured.alone()));
      row.add("confirmed", cost(measured.confirmed()));
      confirmations.add(row);
    }
    json.add("confirmation", confirmations);
    return GSON.toJson(json) + "\n";
  }

  private static JsonObject cost(ConfirmationRun.Cost cost) {
    JsonObject json = new JsonObject();
    json.addProperty("roundTripsUntilCommitted", cost.untilCommitted());
    json.addProperty("roundTripsUntilServed", cost.untilServed());
    json.addProperty("pushes", cost.pushes());
    return json;
  }

  private static JsonObject samples(Samples samples) {
    JsonObject json = new JsonObject();
    json.addProperty("median", samples.median());
    json.addProperty("q1", samples.quantile(0.25));
    json.addProperty("q3", samples.quantile(0.75));
    json.addProperty("count", samples.count());
    return json;
  }
}
