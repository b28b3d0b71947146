// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import dev.holdfast.interop.TestSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Makes the pictures of docs/console.md: with {@code -Dholdfast.screenshots=true} in their place,
 * otherwise where they are in nobody's way, since they change with every run.
 */
class ScreenshotsTest {
  /** How many points the line of acks per second has. */
  private static final String MEASURED =
      "document.querySelector('.sparkline polyline')?.points.numberOfItems";

  private static final Path IMAGES =
      TestSources.repositoryRoot()
          .resolve(
              Boolean.getBoolean("holdfast.screenshots")
                  ? "docs/images"
                  : "interop/target/screenshots");

  @Test
  void everyPictureOfTheDocumentationIsMade() throws IOException {
    try (Shop shop = Shop.open();
        Page page = Browser.shared().open()) {
      page.prefer("light").size(1200, 860).load(shop.console()).awaitTitle("Overview");
      shop.slow(Duration.ofMillis(40));
      for (int version = 2; version <= 5; version++) {
        page.awaitTrue(MEASURED + " > " + version);
        long generation = version;
        shop.edit("v" + version, null);
        Shop.HOSTS.forEach(host -> shop.plane().awaitProgrammed(Shop.key(host), generation));
      }
      shop.edit("v6", "gifts");
      shop.plane().awaitSaid(Shop.key("gifts"), "Programmed", "Rejected");
      Shop.HOSTS.stream()
          .filter(host -> !host.equals("gifts"))
          .forEach(host -> shop.plane().awaitProgrammed(Shop.key(host), 6));
      page.awaitText("#headline", "held").awaitText(".card", "gifts").awaitTrue(MEASURED + " > 7");
      page.awaitText("section[aria-label='Latest incidents']", "Found");
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
    Files.createDirectories(IMAGES);
    Files.write(IMAGES.resolve("console-" + name + ".png"), page.picture());
  }
}
