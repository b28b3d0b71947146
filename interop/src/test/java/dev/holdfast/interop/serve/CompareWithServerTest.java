// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.interop.TestSources;
import dev.holdfast.testkit.TestCa;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast compare} with a Holdfast that runs: equal objects, equal resources. */
class CompareWithServerTest {
  @TempDir private Path root;

  @Test
  void theSameObjectsAreEqualAndAnEditIsFound() throws Exception {
    try (PlaneProcess plane = new PlaneProcess(root)) {
      try (Stream<Path> files = Files.list(TestSources.repositoryRoot().resolve("examples/shop"))) {
        for (Path file : files.toList()) {
          plane.write(String.valueOf(file.getFileName()), Files.readString(file));
        }
      }
      TestCa.Identity identity = TestCa.create("shop").issue("secure");
      plane.write(
          "secure.yaml",
          Yaml.service("web", 8080)
              + """
              ---
              apiVersion: projectcontour.io/v1
              kind: HTTPProxy
              metadata: {name: secure}
              spec:
                virtualhost: {fqdn: secure.example.com, tls: {secretName: cert}}
                routes: [{services: [{name: web, port: 80}], timeoutPolicy: {response: 5s}}]
              ---
              apiVersion: v1
              kind: Secret
              metadata: {name: cert}
              type: kubernetes.io/tls
              data: {tls.crt: %s, tls.key: %s}
              """
                  .formatted(base64(identity.certificatePem()), base64(identity.privateKeyPem())));
      plane.up();

      List<String> equal = compare(plane, 0);
      assertThat(equal.get(equal.size() - 1))
          .matches("[0-9]+ hosts; hosts and routes: [0-9]+ equal");

      Path file = root.resolve("objects/secure.yaml");
      Path other = Files.createDirectory(root.resolve("other"));
      try (Stream<Path> files = Files.list(root.resolve("objects"))) {
        for (Path each : files.toList()) {
          Files.copy(each, other.resolve(String.valueOf(each.getFileName())));
        }
      }
      Files.writeString(
          other.resolve("secure.yaml"),
          Files.readString(file).replace("response: 5s", "response: 9s"));
      assertThat(String.join("\n", compare(plane, other, 5)))
          .contains("https://secure.example.com", "route.timeout: 5s -> 9s", "1 different");
    }
  }

  private List<String> compare(PlaneProcess plane, int exitCode) throws Exception {
    return compare(plane, root.resolve("objects"), exitCode);
  }

  private static List<String> compare(PlaneProcess plane, Path objects, int exitCode)
      throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "compare",
                "--with",
                "127.0.0.1:" + plane.xdsPort(),
                objects.toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines =
        new ArrayList<>(
            new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList());
    assertThat(process.waitFor()).as("%s", lines).isEqualTo(exitCode);
    return lines;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
