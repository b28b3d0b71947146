// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in the archive runs where there is a Java runtime and nothing else. */
class DistTest {
  private static final String VERSION = System.getProperty("holdfast.version", "");

  /** A link to a file, without what follows a hash. */
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#:]+)(?:#[^)]*)?\\)");

  @TempDir static Path directory;

  private static Path home = Path.of("");

  @BeforeAll
  static void unpack() throws Exception {
    // A name with a space: whoever unpacks it chooses where.
    Path place = Files.createDirectory(directory.resolve("some place"));
    Process tar =
        new ProcessBuilder("tar", "-xzf", System.getProperty("holdfast.archive", ""))
            .directory(place.toFile())
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).isZero();
    home = place.resolve("holdfast-" + VERSION);
  }

  private static Installed installed(Path cache) throws IOException {
    return new Installed(home, directory, cache);
  }

  @Test
  void theCommandSaysItsVersion() throws Exception {
    Installed.Outcome outcome = installed(directory.resolve("none")).run("--version");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out()).isEqualTo("holdfast " + VERSION + "\n");
    assertThat(outcome.exitCode()).isZero();
  }

  @Test
  void theExampleIsValid() throws Exception {
    Installed.Outcome outcome =
        installed(directory.resolve("none")).run("validate", "--references", "examples/shop");

    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.exitCode()).isZero();
  }

  @Test
  void theServerBecomesReadyAnswersAndStops() throws Exception {
    Installed installed = installed(directory.resolve("none"));
    Path state = directory.resolve("state.db");
    try (Installed.Server server = installed.serve("examples/shop", "--state", state.toString())) {
      assertThat(server.ready()).startsWith("holdfast ready: 10 objects from examples/shop");

      Installed.Outcome objects =
          installed.run("get", "objects", "--server", server.adminAddress(), "-o", "json");
      assertThat(objects.err()).isEmpty();
      assertThat(objects.out()).contains("\"storefront\"");

      assertThat(server.stop()).as("exit code").isZero();
    }
    assertThat(state).exists();
  }

  @Test
  void theClassesAreKeptInTheCacheAndUsed() throws Exception {
    Path cache = directory.resolve("cache");
    Installed installed = installed(cache).withTools("cksum", "ls", "mkdir", "mv");

    assertThat(installed.run("--version").out()).isEqualTo("holdfast " + VERSION + "\n");
    List<Path> made = list(cache);
    assertThat(installed.run("--version").out()).isEqualTo("holdfast " + VERSION + "\n");

    assertThat(made).hasSize(1);
    assertThat(made.get(0).getFileName().toString()).matches("classes-[0-9]+\\.jsa");
    assertThat(list(cache)).isEqualTo(made);
    assertThat(installed.with("HOLDFAST_JAVA_OPTS", "-Xshare:on").run("--version").exitCode())
        .as("with the archive, or not at all")
        .isZero();
  }

  @Test
  void theFileForTheTabKeyIsWhatTheCommandPrints() throws Exception {
    Installed.Outcome outcome = installed(directory.resolve("none")).run("completion", "bash");

    assertThat(outcome.exitCode()).isZero();
    assertThat(home.resolve("completion/holdfast")).hasContent(outcome.out());
  }

  @Test
  void aJavaThatIsNotThereIsOneLine() throws Exception {
    Installed.Outcome outcome =
        installed(directory.resolve("none")).with("JAVA_HOME", "/no/java").run("--version");

    assertThat(outcome.err())
        .isEqualTo("holdfast: JAVA_HOME: /no/java (expected: the home of a Java of at least 17)\n");
    assertThat(outcome.exitCode()).isEqualTo(1);
  }

  @Test
  void aJavaThatIsTooOldIsOneLine() throws Exception {
    Path old = Files.createDirectory(directory.resolve("java8"));
    Files.createDirectory(old.resolve("bin"));
    Files.createSymbolicLink(old.resolve("bin/java"), Path.of("/bin/sh"));
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"1.8.0_402\"\n");

    Installed.Outcome outcome =
        installed(directory.resolve("none")).with("JAVA_HOME", old.toString()).run("--version");

    assertThat(outcome.err()).contains("is version 8 (expected: at least 17").hasLineCount(1);
    assertThat(outcome.exitCode()).isEqualTo(1);
  }

  @Test
  void everyLibraryOfOthersIsNamedWithItsLicence() throws Exception {
    List<String> libraries =
        list(home.resolve("lib")).stream()
            .map(file -> file.getFileName().toString().replaceFirst("(-[0-9][^/]*)?\\.jar$", ""))
            .filter(name -> !name.startsWith("holdfast-"))
            .sorted()
            .toList();
    List<String> named =
        Files.readAllLines(home.resolve("THIRD-PARTY.md")).stream()
            .filter(line -> line.matches("\\| [a-z0-9_-]+ \\| .*:.* \\| .* \\|"))
            .map(line -> line.split(" ", 3)[1])
            .toList();

    assertThat(named).isEqualTo(libraries).isNotEmpty();
  }

  /** Name and digest of every file in lib, as the bill of materials has them. */
  @Test
  void theBillOfMaterialsHasEveryLibraryWithItsDigest() throws Exception {
    String bill = Files.readString(home.resolve("sbom.cdx.json"));

    assertThat(bill).contains("\"bomFormat\" : \"CycloneDX\"").doesNotContain("\"timestamp\"");
    for (Path library : list(home.resolve("lib"))) {
      String name = library.getFileName().toString().replaceFirst("-([0-9][^/]*)?\\.jar$", "");
      assertThat(bill).contains("\"name\" : \"" + name + "\"");
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(library));
      assertThat(bill)
          .as(name)
          .contains("\"content\" : \"" + HexFormat.of().formatHex(digest) + "\"");
    }
  }

  @Test
  void licenceDocumentationSchemasAndExamplesAreThere() {
    for (String file :
        List.of(
            "LICENSE",
            "NOTICE",
            "README.md",
            "docs/README.md",
            "docs/reference/httpproxy.md",
            "schemas/httpproxy.json",
            "examples/shop/storefront.yaml")) {
      assertThat(home.resolve(file)).isRegularFile();
    }
    assertThat(home.resolve("bin/holdfast")).isExecutable();
    assertThat(home.resolve("examples/grpc/target")).doesNotExist();
  }

  @Test
  void linksOfTheDocumentationLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    try (Stream<Path> files = Files.walk(home)) {
      for (Path page : files.filter(file -> file.toString().endsWith(".md")).toList()) {
        LINK.matcher(Files.readString(page))
            .results()
            .map(match -> match.group(1))
            .filter(link -> !link.endsWith(".java")) // the archive has no sources
            .filter(link -> !Files.exists(page.resolveSibling(link)))
            .forEach(link -> broken.add(home.relativize(page) + ": " + link));
      }
    }

    assertThat(broken).isEmpty();
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }
}
