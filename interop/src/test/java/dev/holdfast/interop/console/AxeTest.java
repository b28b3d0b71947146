// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.interop.TestSources;
import dev.holdfast.server.admin.History;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What axe-core finds on the pages of the console: nothing, in any look and size. */
class AxeTest {
  private static final List<String> PAGES =
      List.of(
          "#/",
          "#/problems",
          "#/objects",
          "#/objects/HTTPProxy/shop/bad",
          "#/proxies",
          "#/proxies/edge-1",
          "#/proxies/edge-2",
          "#/classes/script%20load%20error",
          "#/objects?namespace=shop",
          "#/resources",
          "#/resources/Cluster/bad",
          "#/incidents",
          "#/incidents/1",
          "#/history");

  /** Those that have to do with WCAG 2.2 AA, and what axe-core calls best practice. */
  private static final String RUN =
      """
      axe.run(document, {
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        rules: {'target-size': {enabled: true}, 'link-in-text-block': {enabled: true}},
        resultTypes: ['violations']
      }).then((result) => result.violations.map((found) => ({
        rule: found.id,
        help: found.help,
        nodes: found.nodes.map((node) => node.html.slice(0, 200))
      })))
      """;

  private static final String TOKEN = "0123456789abcdef";

  private final StubServer server = new StubServer("");

  @BeforeEach
  void fill() {
    server.reports.objects =
        List.of(
            Told.rejected(Told.key("bad"), "script load error"),
            Told.programmed("web"),
            Told.pending("api"));
    server.reports.holds = List.of(Told.hold(Told.key("bad"), "script load error"));
    server.reports.proxies =
        List.of(
            Told.proxy("edge-1", "script load error"), Told.inSync("edge-2", "script load error"));
    server.reports.fleets =
        List.of(
            new FleetReport("edge", 3, 2, Told.AT), new FleetReport(FleetReport.ALL, 2, 2, null));
    server.past.add(
        new History.Entry(
            1, Told.AT, "PROXY_DISCONNECTED", null, 0, "", "edge-3", "from 127.0.0.1:1", null));
    server.reports.resources = List.of(Told.cluster(Told.key("bad"), "edge-1"));
    server.reports.incidents = List.of(Told.incident(1, Told.key("bad"), "script load error"));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({"light, 1280, 900", "dark, 1280, 900", "light, 360, 740", "dark, 360, 740"})
  void nothingIsFoundOnAnyPage(String scheme, int width, int height) throws Exception {
    String axe = Files.readString(script());
    List<String> found = new ArrayList<>();
    try (Page page = Browser.shared().open()) {
      page.prefer(scheme).size(width, height).load(server.console()).awaitTitle("Overview");
      page.run(axe);
      for (String hash : PAGES) {
        page.go(hash);
        page.awaitTrue(
            "document.querySelector('#title') && !document.querySelector('.loading, .trouble')"
                + " && document.querySelector('main').innerText.length > 20");
        assertThat(page.isTrue("document.querySelector('.fold')"))
            .as(hash + ": buttons that fold parts of a resource")
            .isEqualTo(hash.startsWith("#/resources/"));
        for (JsonElement element : page.get(RUN).getAsJsonArray()) {
          JsonObject violation = element.getAsJsonObject();
          found.add(
              hash
                  + ": "
                  + violation.get("rule").getAsString()
                  + " ("
                  + violation.get("help").getAsString()
                  + "): "
                  + violation.get("nodes"));
        }
      }
    }

    assertThat(found).isEmpty();
  }

  @Test
  void nothingIsFoundInAPreview() throws Exception {
    String axe = Files.readString(script());
    try (StubServer locked = new StubServer(TOKEN);
        Page page = Browser.shared().open()) {
      locked.reports.objects = server.reports.objects;
      locked.reports.holds = server.reports.holds;
      page.load(locked.console() + "#/objects/HTTPProxy/shop/bad");
      page.awaitTrue("document.querySelector('dialog')?.open").type(TOKEN).press("Enter");
      page.awaitText(".standing", "Held").click("#retry").awaitText("#retry-preview", "shown");
      page.run(axe);

      assertThat(page.get(RUN).getAsJsonArray()).isEmpty();
    }
  }

  @Test
  void whatKeepsPeopleFromUsingAPageIsFound() throws Exception {
    try (Page page = Browser.shared().open()) {
      page.load(server.console()).awaitTitle("Overview");
      page.run(Files.readString(script()));
      page.run(
          """
          const main = document.querySelector('main');
          const add = (parent, name, style) => {
            const element = parent.appendChild(document.createElement(name));
            Object.assign(element.style, style);
            return element;
          };
          add(main, 'img', {}).src = 'icon.svg';
          const sentence = add(main, 'p', {});
          sentence.append('A sentence with ');
          const link = add(sentence, 'a', {textDecoration: 'none', color: 'rgb(90, 90, 90)'});
          link.href = '#/x';
          link.append('a link');
          sentence.append(' in it.');
          const tiny = {width: '9px', minWidth: '9px', height: '9px', minHeight: '9px', padding: '0', margin: '0'};
          const buttons = add(main, 'p', {});
          for (const name of ['one', 'two', 'three']) {
            add(buttons, 'button', tiny).setAttribute('aria-label', name);
          }
          """);

      assertThat(page.get(RUN).getAsJsonArray().toString())
          .contains("\"image-alt\"", "\"target-size\"", "\"link-in-text-block\"");
    }
  }

  private static Path script() throws Exception {
    Process process =
        new ProcessBuilder(
                TestSources.repositoryRoot().resolve("interop/bin/get-axe").toString(), "--find")
            .redirectErrorStream(true)
            .start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    boolean isThere = process.waitFor() == 0;
    String required = System.getenv().getOrDefault("HOLDFAST_REQUIRE", "");
    if (!isThere && List.of(required.split(",")).contains("axe")) {
      throw new AssertionError(said + " (required by HOLDFAST_REQUIRE)");
    }
    assumeTrue(isThere, said);
    return Path.of(said);
  }
}
