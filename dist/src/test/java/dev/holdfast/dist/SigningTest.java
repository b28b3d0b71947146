// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What docs/releasing.md says of signatures, with a key that is made for the test. */
class SigningTest {
  private static final String KEY = "release@example.com";
  private static final Path SIGN = Path.of("../.ci/sign").toAbsolutePath().normalize();

  /** Not a {@code @TempDir}: the paths of gpg's sockets must be short. */
  private Path directory = Path.of("");

  private Path home = Path.of("");

  @BeforeEach
  void makeKey() throws Exception {
    directory = Files.createTempDirectory("sign");
    home =
        Files.createDirectory(
            directory.resolve("gpg"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    boolean found;
    try {
      found = run("gpg", "--version").exitCode() == 0;
    } catch (IOException e) {
      found = false;
    }
    assumeTrue(found, "no gpg: signing is not tested (apt-get install gpg)");
    Outcome made =
        run("gpg", "--batch", "--passphrase", "", "--quick-generate-key", KEY, "ed25519", "sign");
    assertThat(made.exitCode()).as(made.output()).isZero();
  }

  @AfterEach
  void stopAgent() throws Exception {
    try {
      run("gpgconf", "--kill", "all");
    } catch (IOException e) {
      // Then there is none.
    }
  }

  @Test
  void filesAndSumsAreSignedSoThatAnybodyCanVerifyThem() throws Exception {
    Path archive = Files.writeString(directory.resolve("holdfast.tar.gz"), "archive");
    Path bill = Files.writeString(directory.resolve("holdfast.cdx.json"), "bill");

    Outcome outcome = run(SIGN.toString(), KEY, archive.toString(), bill.toString());

    assertThat(outcome.output()).endsWith("sign: 2 files and SHA256SUMS are signed\n");
    assertThat(outcome.exitCode()).isZero();
    for (String name : List.of("holdfast.tar.gz", "holdfast.cdx.json", "SHA256SUMS")) {
      assertThat(verify(name).exitCode()).as(name).isZero();
    }
    assertThat(directory.resolve("SHA256SUMS")).content().hasLineCount(2);

    Files.writeString(archive, "another archive");

    assertThat(verify("holdfast.tar.gz").output()).contains("BAD signature");
  }

  @Test
  void aKeyThatIsNotThereIsOneLine() throws Exception {
    Path archive = Files.writeString(directory.resolve("holdfast.tar.gz"), "archive");

    Outcome outcome = run(SIGN.toString(), "nobody@example.com", archive.toString());

    assertThat(outcome.output())
        .isEqualTo(
            "sign: nobody@example.com: no such secret key (expected: one that 'gpg"
                + " --list-secret-keys' shows)\n");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(directory.resolve("SHA256SUMS")).doesNotExist();
  }

  private Outcome verify(String name) throws Exception {
    return run(
        "gpg",
        "--batch",
        "--verify",
        directory.resolve(name + ".asc").toString(),
        directory.resolve(name).toString());
  }

  private record Outcome(int exitCode, String output) {}

  private Outcome run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(new ArrayList<>(List.of(command))).redirectErrorStream(true);
    builder.environment().put("GNUPGHOME", home.toString());
    builder.environment().put("LC_ALL", "C");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Outcome(process.waitFor(), output);
  }
}
