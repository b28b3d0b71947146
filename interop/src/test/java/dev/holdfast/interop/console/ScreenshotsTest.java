// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import dev.holdfast.interop.TestSources;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.envoy.EnvoyBinary;
import dev.holdfast.interop.envoy.EnvoyBootstrap;
import dev.holdfast.interop.envoy.EnvoyProcess;
import dev.holdfast.interop.serve.Docs;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.interop.serve.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Makes the pictures of docs/console.md and docs/scouts.md: with {@code
 * -Dholdfast.screenshots=true} in their place, otherwise where they are in nobody's way, since they
 * change with every run.
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

  @Test
  void thePictureOfAScoutIsMade() throws IOException {
    try (Backend backend = Backend.start("one");
        Plane plane =
            Plane.start(
                "shop.yaml",
                Docs.of(
                    Yaml.service("shop", backend.port()),
                    Yaml.root(
                        "shop",
                        "shop.example.com",
                        "routes: [{services: [{name: shop, port: 80}]}]")))) {
      EnvoyBootstrap bootstrap = EnvoyBootstrap.delta(plane.xdsPort());
      plane.down();
      plane.withScout(EnvoyBinary.find(), bootstrap).up();
      try (EnvoyProcess first = EnvoyProcess.start(bootstrap.node("edge-1"));
          EnvoyProcess second = EnvoyProcess.start(bootstrap.node("edge-2"));
          Page page = Browser.shared().open()) {
        plane.awaitProgrammed("HTTPProxy/default/shop", 1);
        page.prefer("light")
            .size(1200, 520)
            .load("http://127.0.0.1:" + plane.adminPort() + "/console/#/proxies")
            .awaitTitle("Proxies");
        page.awaitText("main", "tries every change first, and serves nobody");
        plane.write(
            "script.yaml",
            Docs.policy(
                "greeting",
                """
                targetRef: {name: shop}
                perRoute:
                - name: envoy.filters.http.lua
                  typedConfig:
                    "@type": type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute
                    source_code:
                      inline_string: |
                        function envoy_on_request(handle)
                          handle:respond({[":status"] = "503"}, "not yet")
                        end
                """));
        plane.awaitSaid("ExtensionPolicy/default/greeting", "Programmed", "ProbeFailed");
        page.awaitText("header", "1");
        save(page, "scouts");
        page.go("#/objects/ExtensionPolicy/default/greeting", "ExtensionPolicy default/greeting");
        page.awaitText("main", "the proxy itself answers 503 \"not yet\"");
        save(page, "probe");
        if (!first.isAlive() || !second.isAlive()) {
          throw new AssertionError("an Envoy has died");
        }
      }
    }
  }

  private static void save(Page page, String name) throws IOException {
    Files.createDirectories(IMAGES);
    Files.write(IMAGES.resolve("console-" + name + ".png"), page.picture());
  }
}
