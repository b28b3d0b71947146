// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.Position;
import dev.holdfast.server.admin.History;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What authors and proxies write is shown as they wrote it, and never runs. */
class HostileTextTest {
  /** Whatever this is put into, some of it would break out. */
  private static final String TEXT =
      "<img src=x onerror=alert(1)>\"><script>alert(2)</script>'onmouseover='alert(3)"
          + "</title><svg/onload=alert(4)>%3Cimg%20src=x%20onerror=alert(5)%3E../?q=#/__proto__/";

  /** A link that leads here must not run it. */
  private static final String LINK = "javascript:alert(6)";

  @ParameterizedTest
  @ValueSource(strings = {TEXT, LINK})
  void itDoesNotRunOnAnyPage(String text) {
    ObjectKey key = new ObjectKey(text, text, text);
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      server.reports.objects = List.of(Told.rejected(key, text));
      server.reports.holds = List.of(Told.hold(key, text));
      server.reports.proxies = List.of(Told.proxy(text, text));
      server.reports.resources = List.of(Told.cluster(key, text));
      server.reports.incidents = List.of(Told.incident(1, key, text));
      server.reports.sourceProblems =
          List.of(
              new LocatedProblem(
                  new Problem(text, Problem.Kind.INVALID, text), new Position(text, 1, 1)));
      server.past.add(
          new History.Entry(1, Told.AT, "REJECTED", key, 1, text, text, text, /* took= */ null));
      page.load(server.console());

      String part = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
      shows(page, "#/", "Overview", text);
      page.awaitText("#live", "Live"); // it hears what happens from now on
      server.reports.happen(1, text.replaceAll("[\\r\\n]", ""), key, text);
      page.awaitText("#announcer", text);
      shows(page, "#/objects", "Objects", text);
      shows(page, "#/objects/" + part + "/" + part + "/" + part, text, text);
      shows(page, "#/proxies", "Proxies", text);
      shows(page, "#/proxies/" + part, text, text);
      shows(page, "#/resources", "Resources", text);
      shows(page, "#/resources/Cluster/" + part, text, text);
      shows(page, "#/incidents", "Incidents", text);
      shows(page, "#/incidents/1", "Incident 1", text);
      shows(page, "#/history", "History", text);
      shows(page, "#/objects?q=" + part, "Objects", text);
      page.go("#/" + part, "Not found");

      assertThat(page.complaints()).isEmpty();
    }
  }

  private static void shows(Page page, String hash, String title, String text) {
    page.go(hash, title);
    assertThat(page.text("main")).as(hash).contains(text).doesNotContain("No answer");
    assertThat(page.get("document.querySelectorAll('main :is(img, script, iframe)').length"))
        .as(hash)
        .hasToString("0");
    assertThat(
            page.isTrue(
                "[...document.querySelectorAll('a')].every(a =>"
                    + " a.getAttribute('href').startsWith('#') && a.origin === location.origin)"))
        .as(hash + ": links lead nowhere else")
        .isTrue();
  }
}
