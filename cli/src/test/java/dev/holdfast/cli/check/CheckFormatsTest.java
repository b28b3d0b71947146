// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.cli.output.Json;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** The same report for people and for three sorts of programs. */
class CheckFormatsTest {
  private static final ObjectKey SCRIPT = new ObjectKey("ExtensionPolicy", "default", "script");
  private static final ObjectKey HOST = new ObjectKey("HTTPProxy", "default", "host");
  private static final ObjectKey FINE = new ObjectKey("Service", "default", "fine");

  private static Finding finding(
      Finding.Severity severity, String reason, ObjectKey object, List<String> proxies) {
    return new Finding(
        severity,
        reason,
        object,
        new Position("dir/a b.yaml", 3, 5),
        "spec.routes[0]",
        proxies,
        reason.equals(Finding.REFUSED) ? "RouteConfiguration ingress_http" : "",
        "no \"<&>\" \u0001here");
  }

  private static CheckReport report(boolean isComplete, Finding... findings) {
    return new CheckReport(
        new TreeMap<>(
            Map.of(
                SCRIPT, new Position("dir/a b.yaml", 1, 1),
                HOST, new Position("dir/h.yaml", 1, 1),
                FINE, new Position("dir/s.yaml", 1, 1))),
        List.of("envoy 1.39.0", "envoy 1.36.4"),
        List.of(findings),
        isComplete,
        Duration.ofMillis(1_234));
  }

  private static CheckReport bad() {
    return report(
        true,
        finding(Finding.Severity.WARNING, Finding.WAITING, HOST, List.of()),
        finding(Finding.Severity.KNOWN, Finding.DIED, HOST, List.of("envoy 1.36.4")),
        finding(
            Finding.Severity.ERROR,
            Finding.REFUSED,
            SCRIPT,
            List.of("envoy 1.39.0", "envoy 1.36.4")));
  }

  @Test
  void linesForPeople() {
    assertThat(TextFormat.of(bad()))
        .containsExactly(
            "dir/a b.yaml:3:5: ExtensionPolicy/default/script: refused by envoy 1.39.0 and envoy"
                + " 1.36.4 in RouteConfiguration ingress_http: spec.routes[0]: no \"<&>\""
                + " \\u0001here",
            "dir/a b.yaml:3:5: HTTPProxy/default/host: bad before, too: envoy 1.36.4 dies of it:"
                + " spec.routes[0]: no \"<&>\" \\u0001here",
            "dir/a b.yaml:3:5: HTTPProxy/default/host: warning: spec.routes[0]: no \"<&>\""
                + " \\u0001here",
            "3 objects, judged by envoy 1.39.0 and envoy 1.36.4: 1 is bad, 1 was bad before"
                + " (1.2 s)");
    assertThat(TextFormat.of(report(false)))
        .containsExactly(
            "3 objects, judged by envoy 1.39.0 and envoy 1.36.4: none is bad; not all were judged"
                + " in time (see --timeout) (1.2 s)");
  }

  @Test
  void exitCodes() {
    assertThat(bad().exitCode()).isEqualTo(3);
    assertThat(report(true).exitCode()).isZero();
    assertThat(report(false).exitCode()).isEqualTo(4);
    assertThat(
            report(true, finding(Finding.Severity.KNOWN, Finding.DIED, HOST, List.of())).exitCode())
        .isZero();
  }

  @Test
  void json() {
    JsonObject json = JsonFormat.of(bad());

    assertThat(json.keySet())
        .containsExactly(
            "objects", "bad", "badBefore", "complete", "tookMillis", "proxies", "findings");
    assertThat(json.get("bad").getAsInt()).isEqualTo(1);
    assertThat(Json.line(json.getAsJsonArray("findings").get(0)))
        .isEqualTo(
            "{\"severity\":\"error\",\"reason\":\"Refused\",\"kind\":\"ExtensionPolicy\","
                + "\"namespace\":\"default\",\"name\":\"script\",\"file\":\"dir/a b.yaml\","
                + "\"line\":3,\"column\":5,\"field\":\"spec.routes[0]\","
                + "\"proxies\":[\"envoy 1.39.0\",\"envoy 1.36.4\"],"
                + "\"resource\":\"RouteConfiguration ingress_http\","
                + "\"message\":\"no \\\"<&>\\\" \\u0001here\"}");
  }

  @Test
  void sarif() {
    JsonObject run = SarifFormat.of(bad()).getAsJsonArray("runs").get(0).getAsJsonObject();
    JsonObject result = run.getAsJsonArray("results").get(0).getAsJsonObject();

    assertThat(SarifFormat.of(bad()).get("version").getAsString()).isEqualTo("2.1.0");
    assertThat(result.get("ruleId").getAsString()).isEqualTo("Refused");
    assertThat(result.get("level").getAsString()).isEqualTo("error");
    assertThat(Json.line(result.getAsJsonArray("locations").get(0)))
        .isEqualTo(
            "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"dir/a%20b.yaml\"},"
                + "\"region\":{\"startLine\":3,\"startColumn\":5}},\"logicalLocations\":"
                + "[{\"fullyQualifiedName\":\"ExtensionPolicy/default/script/spec.routes[0]\"}]}");
    assertThat(Json.line(run.getAsJsonObject("tool")))
        .contains("{\"id\":\"Refused\",\"shortDescription\":");
  }

  @Test
  void junit() throws Exception {
    Document xml =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(
                new ByteArrayInputStream(JunitFormat.of(bad()).getBytes(StandardCharsets.UTF_8)));

    assertThat(xml.getElementsByTagName("testcase").getLength()).isEqualTo(3);
    assertThat(xml.getElementsByTagName("failure").getLength()).isEqualTo(1);
    assertThat(
            xml.getElementsByTagName("failure")
                .item(0)
                .getAttributes()
                .getNamedItem("message")
                .getNodeValue())
        .endsWith("spec.routes[0]: no \"<&>\" ?here");
    assertThat(xml.getElementsByTagName("system-out").item(0).getTextContent())
        .contains("known: dir/a b.yaml:3:5", "warning: dir/a b.yaml:3:5");
  }
}
