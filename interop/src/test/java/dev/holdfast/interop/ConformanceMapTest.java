// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.interop.ConformanceMap.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What {@code docs/conformance.md} says is complete and true. */
class ConformanceMapTest {
  /** The checklist, section by section; the order is that of the document. */
  private static final List<List<String>> SECTIONS =
      List.of(
          // Subscribing, delivering, acknowledging.
          ids(
              "C01 C02 C03 C04 C05 C06 C07 C08 C09 C10 C11",
              "G01 G02 G03 G04 G05 G06 G07 G08 G09 G10 G11 G12 E01 E02 E03"),
          // Refusing.
          ids(
              "C20 C21 C22 C23 C24 C25 G20 G21 G22 G23 G24 G25 G26 G27 E20 E21 H20 H21 H22 H23 H24"),
          // Errors from the server.
          ids("C30 C31 C32 X30 X31 X32 X33 X34 X35 X36 X37", "H30 H31 H32 H33 H34 H35 H36"),
          // Deletion.
          ids("C40 C41 G40 G41 G42 G43 E40 X40 H40 H41 H42"),
          // Timers.
          ids("C50 C51 C52 C53 C54 C55 C56 C57 G50 G51 E50 E51 H50 H51 H52"),
          // Streams and channels.
          ids(
              "C60 C61 C62 C63 C64 C65 C66",
              "G60 G61 G62 G63 G64 G65 G66 G67 G68 E60 H60 H61 H62 H63 H64 H65"),
          // Federation and fallback.
          ids("C70 C71 C72 C73 C80 C81 C82 C83 C84 G80 G81 E80 H82"),
          // HTTP filters and sessions.
          ids("G70 G71 G72 G73 G74 G75 G76 C74 C75 C76 C77 C78 C79 H70 H71 H72"),
          // Client status and the rest.
          ids("G90 E90 C90 C91 H90 H92 H93"),
          // Loads.
          ids(
              "L01 L02 L03 L04 L05 L06 L07 L08 L09 L10 L11",
              "L20 L21 L22 L23 L24 L25 L26 L27 L28 L30 L31"));

  /** A test that is named by the id it shows: {@code c01FirstWatchCreatesAStream}. */
  private static final Pattern NAMED_BY_ID = Pattern.compile("([cgexhl]\\d{2})[A-Z]\\w*");

  private static final Path ROOT = TestSources.repositoryRoot();

  private final TestSources sources = TestSources.scan(ROOT);
  private final ConformanceMap map = read();

  @Test
  void everyIdOfTheChecklistHasOneRowInOrder() {
    assertThat(map.rows())
        .extracting(Row::id)
        .containsExactlyElementsOf(SECTIONS.stream().flatMap(List::stream).toList());
  }

  @Test
  void everyRowSaysWhatIsDemanded() {
    assertThat(map.rows()).allSatisfy(row -> assertThat(row.demand()).as(row.id()).isNotEmpty());
  }

  @Test
  void everyRowHasATestOrAReason() {
    assertThat(map.rows())
        .allSatisfy(
            row ->
                assertThat(row.tests().isEmpty() ? row.reason() : "has a test")
                    .as("%s: tests, or \"%s...\"", row.id(), ConformanceMap.NOT_APPLICABLE)
                    .isNotEmpty());
  }

  @Test
  void everyTestThatARowNamesExists() {
    Set<String> missing = new TreeSet<>();
    for (Row row : map.rows()) {
      for (ConformanceMap.Test test : row.tests()) {
        if (!sources.byClass().getOrDefault(test.className(), Set.of()).contains(test.method())) {
          missing.add(row.id() + ": " + test);
        }
      }
    }
    assertThat(missing).as("tests that docs/conformance.md names, but nobody wrote").isEmpty();
  }

  @Test
  void everyTestThatIsNamedByAnIdIsInTheRowOfThatId() {
    Set<String> unlisted = new TreeSet<>();
    sources
        .byClass()
        .forEach(
            (className, methods) -> {
              for (String method : methods) {
                Matcher named = NAMED_BY_ID.matcher(method);
                if (named.matches()
                    && !isListed(
                        named.group(1).toUpperCase(Locale.ROOT),
                        new ConformanceMap.Test(className, method))) {
                  unlisted.add(className + "#" + method);
                }
              }
            });
    assertThat(unlisted).as("tests that docs/conformance.md does not name").isEmpty();
  }

  private boolean isListed(String id, ConformanceMap.Test test) {
    Optional<Row> row = map.rows().stream().filter(r -> r.id().equals(id)).findFirst();
    return row.isPresent() && row.get().tests().contains(test);
  }

  @Test
  void theScanFindsTestsWhateverStandsAroundThem() {
    assertThat(
            TestSources.tests(
                """
                @Test
                @DisplayName("says @Test void notThisOne(); and } {")
                void plain() { helper(); }
                // @Test void commentedOut() {}
                private static void helper() {}
                @ParameterizedTest
                @ValueSource(strings = {"a;b", "c"})
                void withValues(String value) {}
                @BeforeEach
                void setUp() {}
                """))
        .containsExactly("plain", "withValues");
    assertThat(sources.byClass().get("ConformanceMapTest"))
        .contains("theScanFindsTestsWhateverStandsAroundThem");
  }

  private static List<String> ids(String... groups) {
    return List.of(String.join(" ", groups).split(" ", -1));
  }

  private static ConformanceMap read() {
    try {
      return ConformanceMap.parse(Files.readString(ROOT.resolve("docs/conformance.md")));
    } catch (IOException e) {
      throw new AssertionError("docs/conformance.md cannot be read", e);
    }
  }
}
