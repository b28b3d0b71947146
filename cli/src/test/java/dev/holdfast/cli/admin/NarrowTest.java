// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.server.admin.History;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lists and shows things fits a terminal of 40 columns, and loses nothing there. */
class NarrowTest {
  private final AdminFixture fixture = new AdminFixture();

  @BeforeEach
  void past() {
    fixture.past.add(
        new History.Entry(
            1,
            Instant.EPOCH,
            "REJECTED",
            new ObjectKey("HTTPProxy", "shop", "web"),
            2,
            "",
            "edge-1",
            "a reason that does not fit into any line of so few characters as these",
            null));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get objects",
        "get proxies",
        "get resources",
        "get holds",
        "get incidents",
        "get incidents 1",
        "describe HTTPProxy/shop/web",
        "explain Cluster/shop/web/80",
        "history"
      })
  void everythingFitsAndNothingIsLost(String line) {
    fixture.run(Map.of("COLUMNS", "40"), line.split(" "));
    String narrow = fixture.captured.out();
    AdminFixture wide = new AdminFixture();
    try (wide) {
      wide.past.addAll(fixture.past);
      wide.run(Map.of("COLUMNS", "400"), line.split(" "));
    }

    assertThat(narrow.lines())
        .isNotEmpty()
        .allSatisfy(text -> assertThat(text).hasSizeLessThanOrEqualTo(40));
    assertThat(fixture.captured.err()).isEmpty();
    assertThat(narrow).doesNotContain("\u001b");
    String all = narrow.replaceAll("\\s", "");
    assertThat(words(wide.captured.lines())).allSatisfy(word -> assertThat(all).contains(word));
  }

  /** Every cell that is not cut by a line break somewhere. */
  private static List<String> words(List<String> lines) {
    return lines.stream()
        .flatMap(line -> List.of(line.strip().split("\\s{2,}")).stream())
        .map(cell -> cell.replaceAll("\\s", ""))
        .filter(cell -> cell.length() < 20)
        .filter(cell -> !cell.matches("[A-Z]+")) // what goes below its row has no heading
        .collect(Collectors.toList());
  }
}
