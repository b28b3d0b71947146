// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of licences that the build makes, with bills of materials as they must not be. */
class LicencesTest {
  private static final Path MAIN = Path.of("src/main").toAbsolutePath();
  private static final String GSON = "com.google.code.gson:gson";

  @TempDir private Path directory;

  @Test
  void whatIsInTheArchivePasses() throws Exception {
    assertThat(check(bill(), page())).isEmpty();
  }

  @Test
  void aLibraryThatNobodyLookedAtFailsTheBuild() throws Exception {
    assertThat(check(bill(), page().replaceAll("(?m)^\\| gson \\|.*\n", "")))
        .isEqualTo(
            "licences: " + GSON + ": [Apache-2.0] is not in THIRD-PARTY.md (expected: a row)\n");
  }

  @Test
  void aForbiddenLicenceFailsTheBuild() throws Exception {
    assertThat(check(with("{\"license\":{\"id\":\"GPL-3.0-only\"}}"), page()))
        .isEqualTo(
            "licences: com.example:other: [GPL-3.0-only] (expected: one of [Apache-2.0,"
                + " BSD-2-Clause, BSD-3-Clause, EPL-2.0, MIT])\n");
  }

  @Test
  void aLibraryWithoutALicenceFailsTheBuild() throws Exception {
    assertThat(check(with(""), page()))
        .isEqualTo(
            "licences: com.example:other: its pom names no licence (expected: one that is"
                + " allowed)\n");
  }

  @Test
  void aRowThatSaysSomethingElseThanThePomFailsTheBuild() throws Exception {
    assertThat(check(bill(), page().replaceAll("(?m)^(\\| gson \\| [^|]*\\|).*", "$1 MIT |")))
        .isEqualTo("licences: " + GSON + ": THIRD-PARTY.md has [MIT], its pom [Apache-2.0]\n");
  }

  @Test
  void aRowOfALibraryThatIsGoneFailsTheBuild() throws Exception {
    assertThat(check(bill(), page() + "\n| old | com.example:old | MIT |\n"))
        .isEqualTo(
            "licences: com.example:old: in THIRD-PARTY.md and not in the archive (expected: no"
                + " row)\n");
  }

  private static String bill() throws IOException {
    return Files.readString(Path.of(System.getProperty("holdfast.sbom", "")));
  }

  private static String with(String licence) throws IOException {
    return bill()
        .replaceFirst(
            "\"components\" : \\[\\s+\\{\\s+\"type\" : \"library\",\\s+\"bom-ref\"",
            "\"components\" : [{\"group\":\"com.example\",\"name\":\"other\",\"licenses\":["
                + licence
                + "]},{\"bom-ref\"");
  }

  private static String page() throws IOException {
    return Files.readString(MAIN.resolve("dist/THIRD-PARTY.md"));
  }

  /** What it says; nothing if all is well. */
  private String check(String bill, String page) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                MAIN.resolve("licences/CheckLicences.java").toString(),
                Files.writeString(directory.resolve("bill.json"), bill).toString(),
                Files.writeString(directory.resolve("page.md"), page).toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isEqualTo(said.isEmpty() ? 0 : 1);
    return said;
  }
}
