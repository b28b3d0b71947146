// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The story that it is all about, as somebody follows it who only looks at the console. */
class IncidentTest {
  @Test
  void anIncidentIsFollowedFromTheFirstRejectionToTheOffendingObjectToTheFix() {
    Browser browser = Browser.shared();
    try (Shop shop = Shop.open();
        Page page = browser.open()) {
      page.load(shop.console())
          .awaitText("#headline", "Proxies run the newest generation")
          .awaitText("#live", "Live");
      page.run("window.marker = true");

      // 1. Ten changes at once, of which one is bad; the Envoys take more time than any browser.
      shop.slow(Duration.ofSeconds(3));
      shop.edit("v2", "gifts");
      page.awaitText("section[aria-label='Latest incidents']", "Searching");

      // 2. The search, while it goes on.
      page.click("section[aria-label='Latest incidents'] tbody a").awaitTitle("Incident 1");
      page.awaitText(".standing", "Searching").awaitText(".picture", "10 changes rejected");
      assertThat(page.text(".standing")).contains(Shop.REFUSAL);

      // 3. The offending object.
      shop.prompt();
      page.awaitText(".standing", "HTTPProxy shop/gifts caused it, found after");
      assertThat(page.text(".picture")).contains("Baseline", "accepted", "HTTPProxy shop/gifts");
      assertThat(label(page))
          .startsWith("Search among 10 changes. 10 changes rejected, ")
          .endsWith("; caused by HTTPProxy shop/gifts.");
      page.awaitText("section[aria-label='Caused by'] .now", "Held");
      assertThat(page.texts("section[aria-label=Trials] tbody tr")).hasSizeGreaterThan(3);
      assertThat(page.texts(".steps li")).isNotEmpty();

      // 4. What its author wrote.
      page.click("section[aria-label='Caused by'] .object").awaitTitle("HTTPProxy shop/gifts");
      page.awaitText(".standing", "Held").awaitText(".diff", "x-odd");

      // 5. The fix arrives, in sight.
      shop.edit("v3", null);
      page.awaitText(".standing .badge", "Programmed");
      page.awaitText("section[aria-label=History]", "Recovered");
      page.awaitTrue("!document.querySelector('.diff')");
      page.go("#/incidents/1", "Incident 1");
      page.awaitText("section[aria-label='Caused by'] .now", "Programmed generation 3");
      page.go("#/", "Overview").awaitText("#headline", "Proxies run the newest generation");

      assertThat(page.isTrue("window.marker")).as("not reloaded").isTrue();
      assertThat(page.complaints()).isEmpty();
    }
  }

  /** What those hear who do not see the picture. */
  private static String label(Page page) {
    return page.get("document.querySelector('.picture svg').getAttribute('aria-label')")
        .getAsString();
  }
}
