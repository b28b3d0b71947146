// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.holdfast.interop.serve.Plane;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each page shows what the admin API says, of a real server one of whose objects is held. */
class PagesTest {
  private static final String GIFTS = "#/objects/HTTPProxy/shop/gifts";

  @SuppressWarnings("NullAway.Init") // before the first test
  private static Shop shop;

  @SuppressWarnings("NullAway.Init")
  private static Page page;

  @BeforeAll
  static void start() {
    Browser browser = Browser.shared();
    shop = Shop.open();
    shop.edit("v2", "gifts");
    shop.plane().awaitSaid(Shop.key("gifts"), "Programmed", "Rejected");
    Shop.HOSTS.stream()
        .filter(host -> !host.equals("gifts"))
        .forEach(host -> shop.plane().awaitProgrammed(Shop.key(host), 2));
    page = browser.open().load(shop.console()).awaitTitle("Overview");
  }

  @AfterAll
  static void stop() {
    if (page != null) {
      page.close();
      shop.close();
    }
  }

  @AfterEach
  void nothingWentWrongInThePage() {
    assertThat(page.complaints()).isEmpty();
  }

  private static List<String> names(String path, String field) {
    return shop.plane().items(path).stream().map(item -> item.get(field).getAsString()).toList();
  }

  @Test
  void theOverviewHasTheNumbersAndWhatIsHeld() {
    page.go("#/", "Overview");
    page.awaitText("#headline", "1 object is held.");
    JsonObject summary = shop.plane().get("/api/v1/summary").getAsJsonObject();
    assertThat(page.text("#tile-programmed"))
        .isEqualTo(
            summary
                .getAsJsonObject("objects")
                .getAsJsonObject("programmed")
                .get("Programmed")
                .getAsString());
    assertThat(page.text("#tile-held")).isEqualTo("1");
    assertThat(page.text("#tile-pending")).isEqualTo("0");
    assertThat(page.text("#tile-proxies")).isEqualTo("3");
    page.awaitTrue("/^[0-9.]+$/.test(document.querySelector('#tile-rate').innerText)");
    assertThat(page.text(".card.held")).contains("shop/gifts", Shop.REFUSAL, "generation 1");
    assertThat(page.text("nav .pill")).startsWith("1");
    assertThat(page.texts(".timeline li")).hasSize(10);
  }

  @Test
  void objectsAreListedAndFound() {
    page.go("#/objects", "Objects");
    assertThat(page.texts("tbody a .name"))
        .containsExactlyInAnyOrderElementsOf(
            names("/api/v1/objects", "name").stream().map(name -> "shop/" + name).toList());
    assertThat(page.text("tbody tr")).contains("shop/gifts", "Held", Shop.REFUSAL);

    page.run("document.querySelector('input[type=search]').focus()");
    page.type("httpproxy wish");
    page.awaitTrue("document.querySelectorAll('tbody tr').length === 1");
    assertThat(page.text("tbody a .name")).isEqualTo("shop/wishlist");
    assertThat(page.get("location.hash").getAsString()).isEqualTo("#/objects?q=httpproxy+wish");

    page.go("#/objects?status=held", "Objects");
    assertThat(page.texts("tbody a .name")).containsExactly("shop/gifts");
    assertThat(page.text("button[aria-pressed=true]")).startsWith("Held");
  }

  @Test
  void anObjectIsShownWithWhatIsWantedAndWhatIsServed() {
    page.go(GIFTS, "HTTPProxy shop/gifts");
    JsonObject object = shop.plane().object(Shop.key("gifts"));
    assertThat(page.text(".standing"))
        .contains("Held", "2 (1 served)", "0/3", "holdfast retry HTTPProxy/gifts -n shop")
        .contains(shop.plane().said(Shop.key("gifts"), "Programmed").message());
    assertThat(page.texts(".diff .line").stream().map(String::strip))
        .anyMatch(line -> line.startsWith("+") && line.endsWith("value: v2"))
        .anyMatch(line -> line.startsWith("-") && line.endsWith("value: v1"));
    for (JsonElement resource : object.getAsJsonArray("resources")) {
      assertThat(page.texts(".links .name"))
          .contains(resource.getAsJsonObject().get("name").getAsString());
    }
    assertThat(page.texts("section[aria-label=Conditions] tbody tr"))
        .anyMatch(row -> row.contains("False, Rejected"))
        .anyMatch(row -> row.contains("True, Valid"));
    assertThat(page.texts("section[aria-label=Incidents] tbody tr")).hasSize(1);
    assertThat(page.texts("section[aria-label=History] li")).hasSizeGreaterThanOrEqualTo(3);
    assertThat(page.isTrue("document.querySelector('#retry')")).as("read-only").isFalse();

    page.go("#/objects/HTTPProxy/shop/nothing", "HTTPProxy shop/nothing");
    assertThat(page.text("main")).contains("This object does not exist.");
  }

  @Test
  void proxiesAreShownWithWhatTheyRunAndTheirLastError() {
    page.go("#/proxies", "Proxies");
    assertThat(page.texts("tbody a.name")).containsExactly("edge-1", "edge-2", "edge-3");
    page.click("tbody a.name").awaitTitle("Proxy edge-1");
    JsonObject stream =
        shop.plane()
            .items("/api/v1/proxies")
            .get(0)
            .getAsJsonArray("streams")
            .get(0)
            .getAsJsonObject();
    assertThat(page.text("main"))
        .contains("Delta, aggregated", stream.get("address").getAsString());
    for (JsonElement type : stream.getAsJsonArray("types")) {
      String accepted = type.getAsJsonObject().get("versionAccepted").getAsString();
      assertThat(page.texts("tbody tr"))
          .anyMatch(
              row ->
                  row.contains(type.getAsJsonObject().get("type").getAsString())
                      && row.contains(accepted.substring(0, 12)));
    }
    page.go("#/proxies/edge-9", "Proxy edge-9");
    assertThat(page.text("main")).contains("This proxy is not connected.");
  }

  @Test
  void aResourceIsShownWithWhereEachPartCameFromAndWhoRunsIt() {
    page.go("#/resources", "Resources");
    assertThat(page.texts("tbody td:first-child .name"))
        .containsExactlyElementsOf(names("/api/v1/resources", "name"));
    page.go("#/resources/RouteConfiguration/ingress_http", "RouteConfiguration ingress_http");
    assertThat(page.text("section[aria-label='Proxies']"))
        .isEqualToIgnoringNewLines("ProxiesAccepted by edge-1, edge-2, edge-3");
    JsonObject first =
        shop.plane()
            .get("/api/v1/resources/RouteConfiguration/ingress_http")
            .getAsJsonObject()
            .getAsJsonArray("provenance")
            .get(0)
            .getAsJsonObject();
    assertThat(page.text(".tree .origin"))
        .contains(
            "HTTPProxy shop/account",
            first.get("field").getAsString(),
            "generation " + first.get("generation").getAsString());
    assertThat(page.texts(".tree .string")).contains("\"account.example.com\"");

    // From an object to its own parts of the resource, and on to one of them in the body.
    page.go(GIFTS, "HTTPProxy shop/gifts");
    page.click(".links a[href*='/RouteConfiguration/ingress_http']");
    page.awaitTitle("RouteConfiguration ingress_http");
    assertThat(page.texts("td .name")).isNotEmpty().containsOnly("shop/gifts");
    page.click(".part");
    assertThat(page.get("document.activeElement.closest('li').dataset.key").getAsString())
        .isEqualTo("virtualHosts[4]");

    // It opens and closes.
    page.click(".tree .fold").awaitTrue("document.querySelectorAll('.tree li').length === 1");
    page.click(".tree .fold").awaitTrue("document.querySelectorAll('.tree li').length > 10");
  }

  @Test
  void incidentsAndTheHistoryAreListed() {
    page.go("#/incidents", "Incidents");
    assertThat(page.text("tbody tr")).contains("Found", "shop/gifts", "10 changes");
    page.go("#/history?sort=trouble", "History");
    Plane.await("the history", () -> page.texts(".timeline li").size() >= 2);
    assertThat(page.texts(".timeline li"))
        .anyMatch(line -> line.contains("Incident resolved"))
        .anyMatch(line -> line.contains("Rejected") && line.contains("shop/gifts"))
        .noneMatch(line -> line.contains("Proxy connected"));
  }
}
