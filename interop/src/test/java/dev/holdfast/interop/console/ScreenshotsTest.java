// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import dev.holdfast.interop.TestSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Makes the pictures of docs/console.md: {@code -Dholdfast.screenshots=true}. */
@EnabledIfSystemProperty(
    named = "holdfast.screenshots",
    matches = "true",
    disabledReason = "pictures change with every run")
class ScreenshotsTest {
  private static final Path IMAGES = TestSources.repositoryRoot().resolve("docs/images");

  @Test
  void everyPictureOfTheDocumentationIsMade() throws IOException {
    try (Shop shop = Shop.open();
        Page page = Browser.shared().open()) {
      shop.slow(Duration.ofMillis(40));
      shop.edit("v2", "gifts");
      shop.plane().awaitSaid(Shop.key("gifts"), "Programmed", "Rejected");
      Shop.HOSTS.stream()
          .filter(host -> !host.equals("gifts"))
          .forEach(host -> shop.plane().awaitProgrammed(Shop.key(host), 2));
      page.prefer("light").size(1200, 860).load(shop.console());
      page.awaitText("#headline", "held")
          .awaitTrue("document.querySelector('#tile-rate').innerText !== '–'");
      save(page, "overview");
      page.go("#/objects/HTTPProxy/shop/gifts", "HTTPProxy shop/gifts");
      save(page, "object");
      page.go("#/incidents/1", "Incident 1");
      save(page, "incident");
      page.go("#/resources/RouteConfiguration/ingress_http?q=shop/gifts", "RouteConfiguration");
      save(page, "resource");
      page.prefer("dark").size(360, 740).go("#/", "Overview");
      save(page, "phone");
    }
  }

  private static void save(Page page, String name) throws IOException {
    Files.write(IMAGES.resolve("console-" + name + ".png"), page.picture());
  }
}
