// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.report.DeletionsReport;
import dev.holdfast.controlplane.report.ObjectReport;
import dev.holdfast.interop.TestSources;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Deletions that wait for a confirmation, on the overview. */
class DeletionsTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final Path IMAGES =
      TestSources.repositoryRoot().resolve("interop/target/screenshots");

  @Test
  void theyAreShownWithTheWaysOutAndConfirmed() throws Exception {
    try (StubServer server = new StubServer(TOKEN);
        Page page = Browser.shared().open()) {
      delete(server, 12);
      page.prefer("light").size(1200, 860).load(server.console());
      page.awaitTrue("document.querySelector('dialog')?.open").type(TOKEN).press("Enter");

      page.awaitText("#headline", "12 deleted objects are still served.")
          .awaitText("#deletions", "12 hosts would disappear")
          .awaitText("#deletions", "put the objects back");
      Files.createDirectories(IMAGES);
      Files.write(IMAGES.resolve("console-deletions.png"), page.picture());
      page.click("#confirm-deletions")
          .awaitText("#confirm-deletions-preview", "Requests for 12 hosts are no longer answered")
          .awaitText("#confirm-deletions-preview", "web-11.example.com");
      assertThat(server.reports.deletions.items()).as("a preview does nothing").hasSize(12);
      Files.write(IMAGES.resolve("console-deletions-preview.png"), page.picture());
      page.click("#confirm-deletions-now").awaitTrue("!document.querySelector('#deletions')");

      assertThat(server.reports.deletions.items()).isEmpty();
      assertThat(page.complaints()).isEmpty();
    }
  }

  @Test
  void withoutATokenTheyAreOnlyShown() {
    try (StubServer server = new StubServer("");
        Page page = Browser.shared().open()) {
      delete(server, 3);
      page.load(server.console()).awaitText("#deletions", "holdfast confirm");
      assertThat(page.isTrue("document.querySelector('#confirm-deletions')")).isFalse();
    }
  }

  private static void delete(StubServer server, int count) {
    List<ObjectReport> objects = new ArrayList<>();
    List<String> hosts = new ArrayList<>();
    List<DeletionsReport.Deletion> deleted = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      objects.add(Told.programmed("web-" + i));
      hosts.add("web-" + i + ".example.com");
      deleted.add(new DeletionsReport.Deletion(Told.key("web-" + i), 1, "shop.yaml:1:1", Told.AT));
    }
    server.reports.objects = objects;
    server.reports.deletions = new DeletionsReport("a set", hosts, deleted);
  }
}
