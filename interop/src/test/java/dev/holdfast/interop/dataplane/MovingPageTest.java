// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each line of the tables in the page on moving from grpc-xds names a test that there is. */
class MovingPageTest {
  private static final Path PAGE = Path.of("..", "docs", "moving-from-grpc-xds.md");

  @Test
  void everyClaimNamesATestThatExists() throws IOException {
    List<String> claims =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("|") && line.endsWith("` |"))
            .filter(line -> !line.matches("\\| A\\d+ .*")) // those are for GrfcTableTest
            .toList();
    assertThat(claims).hasSizeGreaterThan(15);
    List<String> missing = new ArrayList<>();
    for (String claim : claims) {
      String tests = claim.substring(claim.lastIndexOf("| `") + 3, claim.length() - 3);
      Stream.of(tests.split("`, `")).filter(test -> !exists(test)).forEach(missing::add);
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void aTestThatDoesNotExistWouldBeNoticed() {
    assertThat(exists("PeerTest#bothRetryByTheRoutesPolicy")).isTrue();
    assertThat(exists("PeerTest#none")).isFalse();
    assertThat(exists("NoTest#none")).isFalse();
  }

  private static boolean exists(String test) {
    String[] parts = test.split("#", 2);
    try {
      Class<?> type = Class.forName(MovingPageTest.class.getPackageName() + "." + parts[0]);
      return Stream.of(type.getDeclaredMethods()).anyMatch(m -> m.getName().equals(parts[1]));
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
