// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.interop.TestSources;
import dev.holdfast.server.admin.History;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Proxies that are missing, that left, and that are fine again; classes; one author's objects. */
class FleetPagesTest {
  private static final Path IMAGES =
      TestSources.repositoryRoot().resolve("interop/target/screenshots");
  private static final String CLASS = "envoy 1.39.0";

  private final StubServer server = new StubServer("");
  private final Page page = Browser.shared().open();

  @AfterEach
  void stop() {
    assertThat(page.complaints()).isEmpty();
    page.close();
    server.close();
  }

  private void picture(String name) throws Exception {
    Files.createDirectories(IMAGES);
    Files.write(IMAGES.resolve(name + ".png"), page.size(1200, 860).prefer("light").picture());
  }

  @Test
  void whatAProxyRejectedOnceIsNoTroubleNow() throws Exception {
    server.reports.proxies = List.of(Told.inSync("edge-1", CLASS));

    page.load(server.console() + "#/proxies").awaitText("tbody tr", "In sync");
    page.go("#/proxies/edge-1", "Proxy edge-1")
        .awaitText("main", "Rejected Cluster once")
        .awaitText("main", "What it rejected then, it need not run now.");
    assertThat(page.text(".standing")).contains("In sync");
    picture("console-proxy-once");
  }

  @Test
  void whatAProxyRejectsNowIsNamed() {
    server.reports.proxies = List.of(Told.proxy("edge-1", "script load error"));

    page.load(server.console() + "#/proxies/edge-1").awaitText("main", "Rejects Cluster now");
    assertThat(page.texts("dt")).contains("Rejects now");
  }

  @Test
  void aFleetThatIsTooSmallIsSeenAtAGlance() throws Exception {
    server.reports.proxies = List.of(Told.inSync("edge-1", CLASS));
    server.reports.fleets =
        List.of(
            new FleetReport(FleetReport.ALL, 1, 1, null), new FleetReport("edge", 20, 1, Told.AT));

    page.load(server.console()).awaitText("[data-key=proxies]", "1 of 20 edge");
    page.go("#/proxies", "Proxies")
        .awaitText("main", "edge: 1 of 20 are connected, fewer since")
        .awaitText("main", "All proxies: 1 of 1 are connected");
    picture("console-fleets");
  }

  @Test
  void proxiesThatLeftWithinADayAreListedUntilTheyAreBack() {
    Instant now = Instant.parse("2026-01-02T03:00:00Z");
    server.past.add(entry(5, now, "PROXY_DISCONNECTED", "edge-2", "from 127.0.0.1:7"));
    server.past.add(entry(4, now.minusSeconds(60), "PROXY_DISCONNECTED", "edge-1", "from x"));
    server.past.add(entry(3, now.minusSeconds(90), "SERVER_STARTED", "", ""));
    server.past.add(entry(2, now.minusSeconds(99), "PROXY_CONNECTED", "edge-3", CLASS));
    server.past.add(entry(1, now.minusSeconds(90_000), "PROXY_DISCONNECTED", "edge-4", "from x"));
    server.reports.proxies = List.of(Told.inSync("edge-1", CLASS));

    page.load(server.console() + "#/proxies").awaitText("main", "Left recently");

    String left = page.text("[data-key='section Left recently']");
    assertThat(left)
        .contains("edge-2", "from 127.0.0.1:7", "edge-3", "before a restart of the server")
        .doesNotContain("edge-1", "edge-4");
  }

  @Test
  void aClassHasAPageWithItsProxiesAndWhatIsHeldForIt() throws Exception {
    server.reports.proxies =
        List.of(Told.inSync("edge-1", "script load error"), Told.inSync("edge-2", CLASS));
    ObjectKey bad = Told.key("bad");
    server.reports.objects = List.of(Told.rejected(bad, "script load error"));
    server.reports.holds = List.of(Told.hold(bad, "script load error"));

    page.load(server.console() + "#/proxies").awaitText("tbody tr", "edge-1");
    page.click("tbody td[data-title=Class] a").awaitTitle("Class script load error");

    page.awaitText(".standing", "1 object not run by all of its proxies");
    assertThat(page.text("[data-key='section Held because of this class']")).contains("shop/bad");
    assertThat(page.text("[data-key='section Proxies']"))
        .contains("edge-1")
        .doesNotContain("edge-2");
    picture("console-class");
    page.go("#/classes/nobody", "Class nobody")
        .awaitText("main", "No proxy of this class is connected.");
  }

  @Test
  void theObjectsOfOneNamespaceHaveAnAddressToHandOn() {
    List<ObjectReport> objects = new ArrayList<>();
    for (String namespace : List.of("team-a", "team-b")) {
      objects.add(Told.rejected(new ObjectKey("HTTPProxy", namespace, "web"), "no"));
    }
    objects.add(Told.programmed("api"));
    server.reports.objects = objects;

    page.load(server.console() + "#/objects?namespace=team-a").awaitText("tbody tr", "team-a/web");
    assertThat(page.texts("tbody tr")).hasSize(1);
    assertThat(page.text(".choice")).contains("All1");

    page.run(
        "const select = document.querySelector('.selection select'); select.value = 'team-b';"
            + " select.dispatchEvent(new Event('change'))");

    page.awaitText("tbody tr", "team-b/web");
    assertThat(page.get("location.hash").getAsString()).isEqualTo("#/objects?namespace=team-b");
  }

  private static History.Entry entry(
      long id, Instant at, String kind, String proxy, String message) {
    return new History.Entry(id, at, kind, null, 0, "", proxy, message, null);
  }
}
