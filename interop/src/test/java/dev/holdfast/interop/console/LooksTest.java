// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On a phone, in the dark, in the light. */
class LooksTest {
  private static final String LONG =
      "a-very-long-word-without-any-place-to-break-it-in-two-such-as-generated-names-have-them-0123";

  private static final List<String> PAGES =
      List.of(
          "#/",
          "#/problems",
          "#/objects",
          "#/objects/HTTPProxy/shop/" + LONG,
          "#/proxies",
          "#/proxies/" + LONG,
          "#/resources",
          "#/resources/Cluster/" + LONG,
          "#/incidents",
          "#/incidents/1",
          "#/history");

  /** The least contrast of any text with what is behind it, and where. */
  private static final String CONTRAST =
      """
      (() => {
        const pixel = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
        const rgba = (colour) => {
          pixel.clearRect(0, 0, 1, 1);
          pixel.fillStyle = colour;
          pixel.fillRect(0, 0, 1, 1);
          return [...pixel.getImageData(0, 0, 1, 1).data];
        };
        const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
          .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
          .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = (e) => {
          for (; e; e = e.parentElement) {
            const colour = rgba(getComputedStyle(e).backgroundColor);
            if (colour[3] === 255) return colour;
          }
          return [255, 255, 255, 255];
        };
        let worst = [21, ''];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        for (let text = walker.nextNode(); text; text = walker.nextNode()) {
          const e = text.parentElement;
          if (text.data.trim() === '' || e.closest('svg, .unseen, :disabled, noscript, dialog')) continue;
          const [a, b] = [light(rgba(getComputedStyle(e).color)), light(ground(e))];
          const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (contrast < worst[0]) worst = [contrast, text.data + ' in ' + e.className];
        }
        return worst;
      })()
      """;

  private final StubServer server = new StubServer("");

  @BeforeEach
  void fill() {
    server.reports.objects =
        List.of(Told.rejected(Told.key(LONG), LONG), Told.programmed("web"), Told.pending("api"));
    server.reports.holds = List.of(Told.hold(Told.key(LONG), LONG));
    server.reports.proxies = List.of(Told.proxy(LONG, LONG));
    server.reports.resources = List.of(Told.cluster(Told.key(LONG), LONG));
    server.reports.incidents = List.of(Told.incident(1, Told.key(LONG), LONG));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static void go(Page page, String hash) {
    page.go(hash);
    page.awaitTrue(
        "document.querySelector('#title') && !document.querySelector('.loading, .trouble')"
            + " && document.querySelector('main').innerText.length > 20");
  }

  @Test
  void noPageScrollsSidewaysOnAPhone() {
    try (Page page = Browser.shared().open()) {
      page.size(360, 740).load(server.console()).awaitTitle("Overview");
      for (String hash : PAGES) {
        go(page, hash);
        assertThat(page.get("document.documentElement.scrollWidth").getAsInt())
            .as(hash)
            .isLessThanOrEqualTo(360);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void everyTextCanBeRead(String scheme) {
    try (Page page = Browser.shared().open()) {
      page.prefer(scheme).load(server.console()).awaitTitle("Overview");
      for (String hash : PAGES) {
        go(page, hash);
        var worst = page.get(CONTRAST).getAsJsonArray();
        assertThat(worst.get(0).getAsDouble())
            .as(hash + ": " + worst.get(1).getAsString())
            .isGreaterThanOrEqualTo(4.5);
      }
    }
  }

  @Test
  void theThemeFollowsTheSystemUntilSomebodyChooses() {
    try (Page page = Browser.shared().open()) {
      page.prefer("dark").load(server.console()).awaitTitle("Overview");
      String dark = ground(page);
      page.prefer("light");
      String light = ground(page);
      assertThat(light).isNotEqualTo(dark);

      page.click("#theme").awaitText("#theme", "Light").click("#theme").awaitText("#theme", "Dark");
      assertThat(ground(page)).isEqualTo(dark);
      page.reload().awaitText("#theme", "Dark");
      assertThat(ground(page)).isEqualTo(dark);
      page.click("#theme").awaitText("#theme", "Auto");
      assertThat(ground(page)).isEqualTo(light);
    }
  }

  private static String ground(Page page) {
    return page.get("getComputedStyle(document.body).backgroundColor").getAsString();
  }
}
