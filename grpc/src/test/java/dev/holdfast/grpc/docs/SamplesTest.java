// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The samples of the documents are those of the tests in this package, which compile and run. */
class SamplesTest {
  private static final Pattern IN_DOCUMENT =
      Pattern.compile("^```java\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

  @ParameterizedTest
  @CsvSource({
    "README.md, CallsSampleTest",
    "docs/calls.md, CallsSampleTest",
    "docs/client.md, ClientSampleTest"
  })
  void theSamplesOfTheDocumentAreThoseOfTheTest(String document, String test) throws IOException {
    Path root = repositoryRoot();
    Path source = root.resolve("grpc/src/test/java/dev/holdfast/grpc/docs").resolve(test + ".java");
    Pattern marked =
        Pattern.compile(
            "^ *// %1$s begins\n(.*?)^ *// %1$s ends$".formatted(Pattern.quote(document)),
            Pattern.DOTALL | Pattern.MULTILINE);

    assertThat(all(IN_DOCUMENT, root.resolve(document)))
        .isNotEmpty()
        .isEqualTo(
            all(marked, source).stream()
                .map(sample -> sample.stripTrailing().stripIndent() + "\n")
                .toList());
  }

  private static List<String> all(Pattern pattern, Path file) throws IOException {
    return pattern.matcher(Files.readString(file)).results().map(found -> found.group(1)).toList();
  }

  private static Path repositoryRoot() {
    for (Path dir = Path.of("").toAbsolutePath(); dir != null; dir = dir.getParent()) {
      if (Files.exists(dir.resolve("mvnw"))) {
        return dir;
      }
    }
    throw new AssertionError("no directory above this one holds mvnw");
  }
}
