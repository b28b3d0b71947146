// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import dev.holdfast.interop.TestSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The console of a real server while an object is invalid, in conflict, or served in part, and
 * while a file cannot be read: it never says that all is well, and its counts agree with the API.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ProblemsTest {
  private static final String WELL = "Proxies run the newest generation";

  private static final Path DOCS = TestSources.repositoryRoot().resolve("docs/images");
  private static final Path IMAGES =
      TestSources.repositoryRoot().resolve("interop/target/screenshots");

  @SuppressWarnings("NullAway.Init") // before the first test
  private static Shop shop;

  @SuppressWarnings("NullAway.Init")
  private static Page page;

  @BeforeAll
  static void start() {
    Browser browser = Browser.shared();
    shop = Shop.open();
    page = browser.open().prefer("light").size(1200, 900).load(shop.console());
    page.awaitTitle("Overview").awaitText("#headline", WELL);
  }

  @AfterAll
  static void stop() {
    if (page != null) {
      page.close();
      shop.close();
    }
  }

  private static void agrees() {
    JsonObject states =
        shop.plane()
            .get("/api/v1/summary")
            .getAsJsonObject()
            .getAsJsonObject("objects")
            .getAsJsonObject("states");
    for (String state : List.of("programmed", "pending", "held", "partial", "invalid", "idle")) {
      page.awaitText("#tile-" + state, states.get(state).getAsString());
    }
    assertThat(page.complaints()).isEmpty();
  }

  private static void save(String name) throws IOException {
    Files.createDirectories(IMAGES);
    Files.write(IMAGES.resolve("console-" + name + ".png"), page.picture());
  }

  @Test
  @Order(1)
  void anInvalidEditIsHeld() throws IOException {
    shop.invalid("gifts");
    shop.plane().awaitSaid(Shop.key("gifts"), "Programmed", "Invalid");

    page.go("#/", "Overview").awaitText("#headline", "1 object is held.");
    agrees();
    page.awaitText(".card", "shop/gifts", "Held, invalid", "generation 1");
    save("held-invalid");
    page.go("#/objects/HTTPProxy/shop/gifts", "HTTPProxy shop/gifts");
    page.awaitText(".standing", "Held, invalid", "2 (1 served)");
    shop.edit("v1", null);
    page.go("#/", "Overview").awaitText("#headline", WELL);
  }

  @Test
  @Order(2)
  void aNewInvalidObjectIsNotServed() throws IOException {
    shop.plane()
        .write("new.yaml", Shop.proxy("fresh", "virtualhost: {fqdn: f.example.com}\nroutes: 5"));
    shop.plane().awaitSaid("HTTPProxy/shop/fresh", "Programmed", "InvalidNew");

    page.go("#/", "Overview").awaitText("#headline", "1 object is invalid and not served.");
    agrees();
    save("invalid");
    shop.plane().delete("new.yaml");
    page.awaitText("#headline", WELL);
  }

  @Test
  @Order(3)
  void aConflictNamesTheOtherObject() throws IOException {
    shop.plane()
        .write(
            "thief.yaml",
            Shop.proxy(
                "thief",
                """
                virtualhost: {fqdn: gifts.example.com}
                routes: [{services: [{name: web, port: 80}]}]
                """));
    shop.plane().awaitSaid("HTTPProxy/shop/thief", "Programmed", "Conflict");

    page.go("#/", "Overview").awaitText("#headline", "1 object is held.");
    agrees();
    page.awaitText(".card", "shop/thief", "Held, conflict", "shop/gifts");
    save("conflict");
  }

  @Test
  @Order(4)
  void whatIsServedInPartSaysSo() throws IOException {
    shop.plane()
        .write(
            "part.yaml",
            Shop.proxy(
                "partial",
                """
                virtualhost: {fqdn: part.example.com}
                routes:
                - services: [{name: web, port: 80}]
                - conditions: [{prefix: /x}]
                  services: [{name: nowhere, port: 80}]
                """));
    shop.plane().awaitSaid("HTTPProxy/shop/partial", "Programmed", "Invalid");

    page.go("#/", "Overview")
        .awaitText("#headline", "1 object is served only in part and 1 object is held.");
    agrees();
    page.awaitText(".card.bad", "shop/partial", "Partly served", "nowhere");
    page.go("#/objects?status=partial", "Objects");
    assertThat(page.texts("tbody a .name")).containsExactly("shop/partial");
    save("partly-served");
  }

  @Test
  @Order(5)
  void aFileThatCannotBeReadIsAProblem() throws IOException {
    shop.plane().write("part.yaml", "kind: [");

    page.go("#/", "Overview").awaitText("#headline", "1 problem with a file");
    agrees();
    page.go("#/problems", "Problems")
        .awaitText(
            "main",
            "part.yaml",
            "shop/thief",
            "shop/partial",
            "File problem",
            "stays as it was last read");
    page.awaitText("nav .pill", "3"); // counted by a request of its own
    save("problems");
    if (Boolean.getBoolean("holdfast.screenshots")) { // the picture in docs/console.md
      Files.write(DOCS.resolve("console-problems.png"), page.picture());
    }
  }
}
