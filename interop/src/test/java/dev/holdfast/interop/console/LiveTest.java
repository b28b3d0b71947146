// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.serve.Plane;
import dev.holdfast.server.admin.History;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens is shown without asking, and so is that nothing can be heard any more. */
class LiveTest {
  @Test
  void aChangeIsShownAndToldWithoutReloadingAndDisturbsNobody() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      server.reports.objects = List.of(Told.pending("a"), Told.pending("web"));
      page.load(server.console() + "#/objects").awaitTitle("Objects").awaitText("#live", "Live");
      page.run("window.marker = document.querySelector('tbody tr')");
      page.run("document.querySelector('input[type=search]').focus()");
      page.type("we");
      page.awaitTrue("document.querySelectorAll('tbody tr').length === 1");

      server.reports.objects = List.of(Told.pending("a"), Told.programmed("web"));
      server.reports.happen(1, "programmed", Told.key("web"), "");

      page.awaitText("tbody tr", "Programmed").awaitText("#announcer", "HTTPProxy shop/web");
      assertThat(page.isTrue("window.marker")).as("not reloaded").isTrue();
      page.type("b"); // whoever was typing goes on
      assertThat(page.get("document.querySelector('input[type=search]').value").getAsString())
          .isEqualTo("web");
      assertThat(page.complaints()).isEmpty();
    }
  }

  @Test
  void aServerThatIsGoneIsToldAndComesBack() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      server.reports.objects = List.of(Told.pending("web"));
      page.load(server.console() + "#/objects").awaitTitle("Objects").awaitText("#live", "Live");

      server.down();
      page.awaitText("#banner", "Not connected").awaitText("#live", "Not connected");
      assertThat(page.text("tbody tr")).as("what was known is still there").contains("shop/web");

      server.reports.objects = List.of(Told.programmed("web"));
      server.up();
      page.awaitText("#live", "Live").awaitText("tbody tr", "Programmed");
      assertThat(page.text("#banner")).isEmpty();
      assertThat(page.complaints()).isEmpty();
    }
  }

  @Test
  void aChangeThatNobodyTellsOfIsSeenSoonAfter() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      server.reports.objects = List.of(Told.pending("web"));
      page.load(server.console() + "#/objects").awaitTitle("Objects").awaitText("#live", "Live");
      page.awaitText("tbody tr", "Pending");

      // Twice: the first may come with the refresh that follows the beginning of listening.
      server.reports.objects = List.of(Told.programmed("web"));
      page.awaitText("tbody tr", "Programmed");
      server.reports.objects = List.of(Told.pending("web"));
      page.awaitText("tbody tr", "Pending");
    }
  }

  @Test
  void aPageThatNobodyLooksAtDoesNotListen() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      page.load(server.console() + "#/objects").awaitTitle("Objects").awaitText("#live", "Live");
      hide(page, true);
      page.awaitText("#live", "Paused");

      server.reports.objects = List.of(Told.programmed("web"));
      hide(page, false);
      page.awaitText("#live", "Live").awaitText("tbody tr", "shop/web");
    }
  }

  /** A browser without a window hides nothing by itself. */
  private static void hide(Page page, boolean hidden) {
    page.run(
        "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
                .formatted(hidden)
            + "document.dispatchEvent(new Event('visibilitychange'))");
  }

  @Test
  void thePageIsBroughtUpToDateAfterAGap() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      page.load(server.console() + "#/objects").awaitTitle("Objects").awaitText("#live", "Live");
      server.reports.happen(7, "object-added", Told.key("a"), "");
      page.awaitText("#announcer", "Added: HTTPProxy shop/a");
      server.down();
      page.awaitText("#live", "Not connected");

      // The new server knows nothing of event 7, and says so.
      server.reports.objects = List.of(Told.programmed("web"));
      server.up();
      page.awaitText("tbody tr", "shop/web").awaitText("#live", "Live");
    }
  }

  @Test
  void theHistoryGrowsAtBothEnds() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      for (long id = 1; id <= 150; id++) {
        server.past.add(0, entry(id));
      }
      page.load(server.console() + "#/history").awaitTitle("History").awaitText("#live", "Live");
      assertThat(page.texts(".timeline li")).hasSize(100);
      page.click(".older button");
      Plane.await("all of it", () -> page.texts(".timeline li").size() == 150);
      assertThat(page.isTrue("document.querySelector('.older')")).isFalse();

      server.past.add(0, entry(151));
      server.reports.happen(1, "object-added", Told.key("n151"), "");
      page.awaitText(".timeline li", "shop/n151");
      assertThat(page.texts(".timeline li")).hasSize(151);
    }
  }

  private static History.Entry entry(long id) {
    return new History.Entry(
        id, Told.AT, "OBJECT_ADDED", Told.key("n" + id), 1, "", "", "", /* took= */ null);
  }
}
