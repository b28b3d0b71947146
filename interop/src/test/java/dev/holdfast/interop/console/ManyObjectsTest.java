// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.report.ObjectReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ten thousand objects are no more to draw than fifty. */
class ManyObjectsTest {
  private static final int MANY = 10_000;

  @Test
  void tenThousandObjectsAreShownPageByPage() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      List<ObjectReport> objects =
          new ArrayList<>(
              IntStream.range(0, MANY)
                  .mapToObj(i -> Told.programmed("n%05d".formatted(i)))
                  .toList());
      server.reports.objects = List.copyOf(objects);
      page.load(server.console()).awaitText("#tile-programmed", "10,000");
      page.run(
          "window.longest = 0; new PerformanceObserver(list => list.getEntries().forEach("
              + "e => window.longest = Math.max(window.longest, e.duration)))"
              + ".observe({type: 'longtask'}); window.begun = performance.now()");
      page.go("#/objects", "Objects").awaitText(".pager", "1 to 50 of 10,000");
      report(page, "shown");
      assertThat(page.texts("tbody tr")).hasSize(50);

      page.click(".pager button:last-child").awaitText(".pager", "9,951 to 10,000 of 10,000");
      assertThat(page.text("tbody tr")).contains("shop/n09950");
      page.run("document.querySelector('input[type=search]').focus()");
      page.run("window.begun = performance.now()");
      page.type("n01234").awaitTrue("document.querySelectorAll('tbody tr').length === 1");
      report(page, "found");

      objects.set(1234, Told.rejected(Told.key("n01234"), "no"));
      server.reports.objects = List.copyOf(objects);
      page.run("window.begun = performance.now()");
      server.reports.happen(1, "rejected", Told.key("n01234"), "no");
      page.awaitText("tbody tr", "Held");
      report(page, "brought up to date");
      assertThat(page.complaints()).isEmpty();
    }
  }

  /** How long it takes until the first rows are there, in a browser that has nothing yet. */
  @Test
  void theFirstRowsOfTenThousandObjectsAndAThousandProxies() {
    try (StubServer server = new StubServer("")) {
      server.reports.objects =
          IntStream.range(0, MANY).mapToObj(i -> Told.programmed("n%05d".formatted(i))).toList();
      server.reports.proxies =
          IntStream.range(0, 1_000)
              .mapToObj(i -> Told.inSync("edge-%03d".formatted(i), "envoy 1.39.0"))
              .toList();
      for (String list : List.of("objects", "proxies")) {
        try (Page page = Browser.shared().open()) {
          page.load(server.console() + "#/" + list)
              .awaitTrue("document.querySelectorAll('tbody tr').length === 50");
          System.out.printf(
              "%,d objects, 1,000 proxies: first rows of %s %d ms after the page was asked for%n",
              MANY, list, page.get("Math.round(performance.now())").getAsLong());
          assertThat(page.complaints()).isEmpty();
        }
      }
    }
  }

  /** Times are for people to look at, and no reason to fail. */
  private static void report(Page page, String what) {
    System.out.printf(
        "%,d objects: %s after %d ms, the browser was busy for at most %d ms at a time%n",
        MANY,
        what,
        page.get("performance.now() - window.begun").getAsLong(),
        page.get("window.longest").getAsLong());
  }
}
