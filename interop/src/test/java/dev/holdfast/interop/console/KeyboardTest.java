// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The console without a mouse, and as screen readers find it. */
class KeyboardTest {
  private static final String FOCUSED =
      "document.activeElement.textContent.trim() || document.activeElement.type || ''";

  @Test
  void everythingCanBeReachedAndDoneWithKeys() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      server.reports.objects =
          List.of(Told.programmed("web"), Told.rejected(Told.key("gifts"), "no"));
      page.load(server.console()).awaitTitle("Overview").awaitText("#live", "Live");

      List<String> reached = new ArrayList<>();
      for (int i = 0; i < 11; i++) {
        reached.add(page.press("Tab").get(FOCUSED).getAsString().lines().findFirst().orElse(""));
        assertThat(page.isTrue("getComputedStyle(document.activeElement).outlineStyle !== 'none'"))
            .as("one sees where one is: " + reached)
            .isTrue();
      }
      assertThat(reached)
          .startsWith(
              "Skip to the content", "Holdfast", "Overview", "Problems1", "Objects1 with problems")
          .endsWith("Proxies", "Resources", "Incidents", "History", "Theme: Auto", reached.get(10));
      assertThat(reached.get(10)).startsWith("Programmed");

      // Back to "Objects", in, and on with the filter and the first object.
      for (int i = 0; i < 6; i++) {
        page.pressWithShift("Tab");
      }
      page.press("Enter").awaitTitle("Objects");
      assertThat(page.get("document.activeElement.id").getAsString())
          .as("the focus is where the new page begins")
          .isEqualTo("title");
      page.press("Tab")
          .type("gifts")
          .awaitTrue("document.querySelectorAll('tbody tr').length === 1");
      for (int i = 0; i < 8; i++) {
        page.press("Tab");
      }
      page.press("Enter").awaitTitle("HTTPProxy shop/gifts");
      assertThat(page.complaints()).isEmpty();
    }
  }

  @Test
  void theSkipLinkLeadsPastTheNavigation() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      page.load(server.console() + "#/objects").awaitTitle("Objects");
      page.press("Tab").press("Enter");
      assertThat(page.get("document.activeElement.id + location.hash").getAsString())
          .isEqualTo("main#/objects");
      page.press("Tab");
      assertThat(page.get("document.activeElement.type").getAsString()).isEqualTo("search");
    }
  }

  @Test
  void pagesHaveLandmarksHeadingsAndNames() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      server.reports.objects = List.of(Told.rejected(Told.key("gifts"), "no"));
      page.load(server.console());
      for (String hash :
          new String[] {"#/objects", "#/objects/HTTPProxy/shop/gifts", "#/proxies", "#/history"}) {
        page.go(hash);
        page.awaitTrue("document.querySelector('#title') && !document.querySelector('.loading')");
        assertThat(page.get("document.querySelectorAll('h1').length")).hasToString("1");
        assertThat(page.isTrue("document.querySelector('header nav[aria-label] a[aria-current]')"))
            .isTrue();
        assertThat(page.isTrue("document.querySelector('main') && document.documentElement.lang"))
            .isTrue();
        assertThat(page.get("document.title").getAsString()).endsWith(" · Holdfast");
        assertThat(
                page.isTrue(
                    "[...document.querySelectorAll('main :is(button, a, input, section)')].every("
                        + "e => e.innerText || e.ariaLabel || e.labels?.[0]?.innerText)"))
            .as("all have names")
            .isTrue();
        assertThat(
                page.isTrue(
                    "[...document.querySelectorAll('table')].every(t => t.caption"
                        + " && t.querySelector('th[scope=col]') && t.getAttribute('role'))"))
            .isTrue();
      }
    }
  }
}
