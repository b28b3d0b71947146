// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image of {@code -Pimage} has the form that OCI asks for, and what is in it runs with nothing
 * else: its layers are unpacked, and a process that sees nothing but them is started.
 */
class ImageTest {
  private static final String VERSION = System.getProperty("holdfast.version", "");
  private static final Pattern DIGEST = Pattern.compile("\"digest\":\"sha256:([0-9a-f]{64})\"");
  private static final Pattern UNPACKED = Pattern.compile("\"sha256:([0-9a-f]{64})\"");

  @TempDir static Path directory;

  private static Path image = Path.of("");
  private static Path root = Path.of("");
  private static String config = "";

  @BeforeAll
  static void unpack() throws Exception {
    String archive = System.getProperty("holdfast.image", "");
    assumeTrue(!archive.isEmpty(), "no image: -Pimage builds one");
    image = Files.createDirectory(directory.resolve("image"));
    root = Files.createDirectory(directory.resolve("root"));
    tar("-xf", archive, "-C", image.toString());
    List<String> manifest = digests(Files.readString(image.resolve("index.json")));
    List<String> parts = digests(Files.readString(blob(manifest.get(0))));
    config = Files.readString(blob(parts.get(0)));
    for (String layer : parts.subList(1, parts.size())) {
      tar("-xzf", blob(layer).toString(), "-C", root.toString());
    }
  }

  @Test
  void everyBlobHasTheDigestThatIsItsName() throws Exception {
    try (Stream<Path> blobs = Files.list(image.resolve("blobs/sha256"))) {
      for (Path blob : blobs.toList()) {
        assertThat(sha256(Files.readAllBytes(blob))).isEqualTo(blob.getFileName().toString());
      }
    }
  }

  @Test
  void theConfigurationNamesTheLayersAsTheyAreUnpacked() throws Exception {
    List<String> parts =
        digests(
            Files.readString(blob(digests(Files.readString(image.resolve("index.json"))).get(0))));
    List<String> unpacked = new ArrayList<>();
    for (String layer : parts.subList(1, parts.size())) {
      Process gunzip = new ProcessBuilder("gzip", "-dc", blob(layer).toString()).start();
      unpacked.add(sha256(gunzip.getInputStream().readAllBytes()));
    }

    assertThat(UNPACKED.matcher(config).results().map((MatchResult m) -> m.group(1)))
        .containsExactlyElementsOf(unpacked);
  }

  @Test
  void theBillOfMaterialsHasTheRuntimeAndTheLibraries() throws Exception {
    String archive = System.getProperty("holdfast.image", "");
    String bill = Files.readString(Path.of(archive.replaceFirst("\\.tar$", ".cdx.json")));

    assertThat(JsonParser.parseString(bill).getAsJsonObject().getAsJsonArray("components"))
        .anySatisfy(part -> assertThat(text(part, "name")).isEqualTo("Java runtime"))
        .anySatisfy(part -> assertThat(text(part, "name")).isEqualTo("guava"))
        .anySatisfy(part -> assertThat(text(part, "name")).matches("libc6|.*/libc\\.so\\.6"));
    // The archive's own is inside.
    assertThat(root.resolve("opt/holdfast/sbom.cdx.json")).isRegularFile();
  }

  private static String text(JsonElement part, String field) {
    return part.getAsJsonObject().get(field).getAsString();
  }

  @Test
  void runsAsAUserThatCannotWriteAnywhereElse() {
    assertThat(config).contains("\"User\":\"65532:65532\"", "\"WorkingDir\":\"/tmp\"");
  }

  @Test
  void theCommandSaysItsVersion() throws Exception {
    assertThat(run("holdfast --version")).isEqualTo("holdfast " + VERSION + "\n");
  }

  @Test
  void anInitContainerCanWriteABootstrapFileAndAToken() throws Exception {
    assertThat(
            run(
                "holdfast bootstrap envoy --xds-address=holdfast-xds.holdfast.svc:18000"
                    + " --node=pod >/tmp/envoy.yaml && while read -r line; do echo \"$line\"; done"
                    + " </tmp/envoy.yaml"))
        .contains("STRICT_DNS", "holdfast-xds.holdfast.svc");
    assertThat(run("printf '%s\\n' token >/tmp/t && read -r t </tmp/t && echo \"$t\""))
        .isEqualTo("token\n");
  }

  @Test
  void theServerBecomesReadyWithItsStateInAFile() throws Exception {
    Process process =
        inside(
                "exec holdfast serve /opt/holdfast/examples/shop --state=/var/lib/holdfast/state.db"
                    + " --xds-address=127.0.0.1:0 --admin-address=127.0.0.1:0")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader(UTF_8)) {
      assertThat(out.readLine()).startsWith("holdfast ready: 10 objects");
    } finally {
      process.destroy();
      process.waitFor();
    }
    assertThat(root.resolve("var/lib/holdfast/state.db")).exists();
  }

  private static String run(String script) throws IOException, InterruptedException {
    Process process = inside(script).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    int code = process.waitFor();
    assumeTrue(
        !said.startsWith("unshare: "), "no user namespaces for an ordinary process: " + said);
    assertThat(code).as(said).isZero();
    return said;
  }

  /** A script of the shell in the image, which sees the image only. */
  private static ProcessBuilder inside(String script) {
    ProcessBuilder builder =
        new ProcessBuilder(
            "unshare",
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-euc",
            // What every container engine does.
            "mkdir -p \"$1/proc\" \"$1/dev\"; mount --rbind /proc \"$1/proc\"; mount --rbind /dev"
                + " \"$1/dev\"; exec chroot \"$1\" /bin/sh -c \"$2\"",
            "sh",
            root.toString(),
            "cd /tmp && " + script);
    builder.environment().clear();
    builder.environment().put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin:/opt/holdfast/bin");
    builder.environment().put("JAVA_HOME", "/opt/java");
    builder.environment().put("HOME", "/tmp");
    builder.environment().put("HOLDFAST_CACHE", "none");
    return builder;
  }

  private static Path blob(String digest) {
    return image.resolve("blobs/sha256").resolve(digest);
  }

  private static List<String> digests(String json) {
    return DIGEST.matcher(json).results().map((MatchResult match) -> match.group(1)).toList();
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static void tar(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("tar"));
    command.addAll(List.of(arguments));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
