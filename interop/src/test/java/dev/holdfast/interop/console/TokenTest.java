// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Nothing is shown and nothing can be done without the token, if the server wants one. */
class TokenTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final String WEB = "#/objects/HTTPProxy/shop/web";

  @Test
  void theTokenIsAskedForOnceAndThenThingsCanBeDone() {
    try (StubServer server = new StubServer(TOKEN);
        Page page = Browser.shared().open()) {
      server.reports.objects = List.of(Told.rejected(Told.key("web"), "no"));
      server.reports.holds = List.of(Told.hold(Told.key("web"), "no"));
      page.load(server.console() + WEB);
      page.awaitTrue(
          "document.querySelector('dialog')?.open && document.activeElement.id === 'token'");
      assertThat(page.text("main"))
          .contains("This server requires a token.")
          .doesNotContain("Held");

      page.type("a wrong one").press("Enter").awaitText("#token-problem", "A token has only ASCII");
      page.type("0123456789abcdeF").press("Enter");
      page.awaitText("#token-problem", "The server does not accept this token.");
      page.type(TOKEN).press("Enter").awaitText(".standing", "Held").awaitText("#live", "Live");
      assertThat(page.isTrue("document.querySelector('dialog')?.open")).isFalse();

      page.click("#retry")
          .awaitText("#retry-preview", "Generation 2 is shown unchanged to one proxy of each class")
          .awaitText("#retry-preview", "generation 1 stays in force");
      page.click("#retry").awaitTrue("!document.querySelector('#retry-preview')");
      assertThat(server.reports.retried).as("a preview does nothing").isEmpty();

      page.click("#retry")
          .click("#retry-now")
          .awaitText(".told", "HTTPProxy shop/web: generation 3 is being tried again.");
      assertThat(server.reports.retried).containsExactly(Told.key("web"));

      // The tab remembers it, and nobody else does.
      page.reload().awaitTrue("document.querySelector('#retry')");
      assertThat(page.get("JSON.stringify({...localStorage}) + document.cookie").getAsString())
          .doesNotContain(TOKEN);

      page.click("[data-key=forget]").awaitTrue("document.querySelector('dialog')?.open");
      assertThat(page.get("sessionStorage.length")).hasToString("0");
      page.press("Escape").awaitTrue("document.querySelector('dialog').open === false");
      page.click(".trouble button").awaitTrue("document.querySelector('dialog')?.open");
      assertThat(page.complaints()).isEmpty();
    }
  }

  @Test
  void aTokenThatIsNotAcceptedAnyMoreIsAskedForAgain() {
    try (StubServer server = new StubServer(TOKEN);
        Page page = Browser.shared().open()) {
      page.load(server.console()).awaitTrue("document.querySelector('dialog')?.open");
      page.run("sessionStorage.setItem('holdfast-token', 'an-old-token-of-yesterday')");
      page.reload().awaitText("#token-problem", "no longer accepts this token");
    }
  }

  @Test
  void nothingCanBeDoneOnAServerThatWantsNone() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      server.reports.objects = List.of(Told.rejected(Told.key("web"), "no"));
      server.reports.holds = List.of(Told.hold(Told.key("web"), "no"));
      page.load(server.console() + WEB).awaitText(".standing", "Held");
      assertThat(page.text("#tools")).contains("Read-only");
      assertThat(page.isTrue("document.querySelector('#retry')")).isFalse();
    }
  }
}
