// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.cli.output.Style;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of {@code get objects}. */
class ObjectTableTest {
  private static JsonObject list(String... objects) {
    return JsonParser.parseString("{\"items\": [" + String.join(", ", objects) + "]}")
        .getAsJsonObject();
  }

  private static String object(String kind, String namespace, String name, String conditions) {
    return """
        {"kind": "%s", "namespace": "%s", "name": "%s", "generation": 12, "servedGeneration": 11,
         "proxies": {"programmed": 10, "total": 12}, "conditions": [%s]}"""
        .formatted(kind, namespace, name, conditions);
  }

  private static String condition(String type, String status, String reason, String message) {
    return """
        {"type": "%s", "status": "%s", "reason": "%s", "message": "%s"}"""
        .formatted(type, status, reason, message);
  }

  @Test
  void longNamesFitIntoEightyColumnsAsATable() {
    List<String> lines =
        ObjectTable.render(
            list(
                object(
                    "TLSCertificateDelegation",
                    "storefront-production-europe",
                    "wildcard-certificate-for-everybody",
                    condition("Programmed", "False", "AttributionPending", "waits")),
                object(
                    "HTTPProxy", "shop", "web", condition("Programmed", "True", "Programmed", ""))),
            80,
            Style.PLAIN);

    assertThat(lines.get(0)).startsWith("NAMESPACE").contains("KIND", "GEN", "PROXIES");
    assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    assertThat(String.join("", lines).replaceAll("\\s", "")).contains("10/12", "waits");
  }

  @Test
  void whatTwoConditionsSayIsShownOnce() {
    List<String> lines =
        ObjectTable.render(
            list(
                object(
                    "HTTPProxy",
                    "shop",
                    "web",
                    condition(
                            "Programmed", "False", "Invalid", "not valid: a.yaml:1: bad; serving 1")
                        + ", "
                        + condition("Valid", "False", "ErrorPresent", "a.yaml:1: bad"))),
            200,
            Style.PLAIN);

    assertThat(String.join("\n", lines)).containsOnlyOnce("a.yaml:1: bad");
  }

  @Test
  void whatConcernsOnlyGrpcClientsIsNoProblemOfTheObject() {
    List<String> lines =
        ObjectTable.render(
            list(
                object(
                    "HTTPProxy",
                    "shop",
                    "web",
                    condition("GrpcRoutes", "False", "RoutesUnavailable", "calls fail")
                        + ", "
                        + condition("Programmed", "True", "Programmed", ""))),
            200,
            Style.PLAIN);

    assertThat(lines.toString()).doesNotContain("calls fail");
  }
}
