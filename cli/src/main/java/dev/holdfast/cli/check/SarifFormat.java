// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.Version;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.config.Position;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.SortedMap;
import java.util.TreeMap;

/** A check as SARIF 2.1.0, which forges show beside the changed lines. */
final class SarifFormat {
  private static final String SCHEMA =
      "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

  private SarifFormat() {}

  static JsonObject of(CheckReport report) {
    SortedMap<String, JsonObject> rules = new TreeMap<>();
    JsonArray results = new JsonArray();
    for (Finding finding : report.findings()) {
      rules.computeIfAbsent(finding.reason(), SarifFormat::rule);
      results.add(result(finding));
    }
    JsonObject driver = new JsonObject();
    driver.addProperty("name", "holdfast check");
    driver.addProperty("version", Version.number());
    JsonArray ruleArray = new JsonArray();
    rules.values().forEach(ruleArray::add);
    driver.add("rules", ruleArray);
    JsonObject tool = new JsonObject();
    tool.add("driver", driver);
    JsonObject run = new JsonObject();
    run.add("tool", tool);
    run.addProperty("columnKind", "unicodeCodePoints");
    run.add("results", results);
    JsonArray runs = new JsonArray();
    runs.add(run);
    JsonObject sarif = new JsonObject();
    sarif.addProperty("$schema", SCHEMA);
    sarif.addProperty("version", "2.1.0");
    sarif.add("runs", runs);
    return sarif;
  }

  private static JsonObject rule(String reason) {
    JsonObject rule = new JsonObject();
    rule.addProperty("id", reason);
    JsonObject text = new JsonObject();
    text.addProperty(
        "text",
        switch (reason) {
          case Finding.INVALID -> "The object is not valid.";
          case Finding.REFUSED -> "A proxy refuses the object.";
          case Finding.DIED -> "A proxy ends when it receives the object.";
          case Finding.HUNG -> "A proxy stops answering when it receives the object.";
          case Finding.PROBE_FAILED -> "A request to the object fails in the proxy.";
          case Finding.UNAVAILABLE -> "gRPC clients without a proxy cannot use a route.";
          case Finding.SHADOWED -> "Requests to the object are answered by something else.";
          case Finding.NOT_PROBED -> "No request was sent to a part of the object.";
          case Finding.WAITING -> "The object cannot be served because of another one.";
          case Finding.NOT_JUDGED -> "There is no verdict about the object.";
          default -> reason;
        });
    rule.add("shortDescription", text);
    return rule;
  }

  private static JsonObject result(Finding finding) {
    JsonObject result = new JsonObject();
    result.addProperty("ruleId", finding.reason());
    result.addProperty(
        "level",
        switch (finding.severity()) {
          case ERROR -> "error";
          case KNOWN -> "note";
          case WARNING -> "warning";
        });
    JsonObject message = new JsonObject();
    String owner = finding.object() == null ? "" : finding.object() + ": ";
    message.addProperty("text", SafeText.text(owner + finding.statement()));
    result.add("message", message);
    JsonArray locations = new JsonArray();
    locations.add(location(finding));
    result.add("locations", locations);
    return result;
  }

  private static JsonObject location(Finding finding) {
    Position position = finding.position();
    JsonObject artifact = new JsonObject();
    artifact.addProperty("uri", uri(position.source()));
    JsonObject physical = new JsonObject();
    physical.add("artifactLocation", artifact);
    if (position.line() > 0) {
      JsonObject region = new JsonObject();
      region.addProperty("startLine", position.line());
      region.addProperty("startColumn", position.column());
      physical.add("region", region);
    }
    JsonObject location = new JsonObject();
    location.add("physicalLocation", physical);
    if (finding.object() != null) {
      JsonObject logical = new JsonObject();
      logical.addProperty(
          "fullyQualifiedName",
          finding.object() + (finding.field().isEmpty() ? "" : "/" + finding.field()));
      JsonArray all = new JsonArray();
      all.add(logical);
      location.add("logicalLocations", all);
    }
    return location;
  }

  /** A relative path is one relative to the repository. */
  private static String uri(String path) {
    try {
      String plain = path.startsWith("./") ? path.substring(2) : path;
      return new URI(null, null, plain, null).toASCIIString();
    } catch (URISyntaxException e) {
      return path;
    }
  }
}
