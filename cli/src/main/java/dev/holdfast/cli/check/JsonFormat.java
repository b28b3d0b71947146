// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.config.ObjectKey;

/** A check as one document. */
final class JsonFormat {
  private JsonFormat() {}

  static JsonObject of(CheckReport report) {
    JsonObject json = new JsonObject();
    json.addProperty("objects", report.objects().size());
    json.addProperty("bad", report.bad());
    json.addProperty("badBefore", report.count(Finding.Severity.KNOWN));
    json.addProperty("complete", report.isComplete());
    json.addProperty("tookMillis", report.took().toMillis());
    JsonArray proxies = new JsonArray();
    report.proxies().forEach(proxies::add);
    json.add("proxies", proxies);
    JsonArray findings = new JsonArray();
    report.findings().forEach(finding -> findings.add(finding(finding)));
    json.add("findings", findings);
    return json;
  }

  private static JsonObject finding(Finding finding) {
    JsonObject json = new JsonObject();
    ObjectKey object = finding.object();
    json.addProperty("severity", finding.severity().word());
    json.addProperty("reason", finding.reason());
    json.addProperty("kind", object == null ? null : object.kind());
    json.addProperty("namespace", object == null ? null : object.namespace());
    json.addProperty("name", object == null ? null : object.name());
    json.addProperty("file", finding.position().source());
    json.addProperty("line", finding.position().line());
    json.addProperty("column", finding.position().column());
    json.addProperty("field", finding.field());
    JsonArray proxies = new JsonArray();
    finding.proxies().forEach(proxies::add);
    json.add("proxies", proxies);
    json.addProperty("resource", finding.resource());
    json.addProperty("message", finding.message());
    return json;
  }
}
