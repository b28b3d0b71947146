// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The manifests agree with one another. {@code -Dtest.args=-Dmanifests.write=true} writes those
 * that are made from others.
 */
class ManifestsTest {
  private static final Pattern IMAGE = Pattern.compile("(?m)image: (holdfast:.*)$");

  @Test
  void oneFileHasTheWholeBase() throws IOException {
    Path file = Manifests.DEPLOY.resolve("holdfast.yaml");
    if (Boolean.getBoolean("manifests.write")) {
      Files.writeString(file, Manifests.composed());
    }

    assertThat(Manifests.read(file)).isEqualTo(Manifests.composed());
  }

  @Test
  void everyFileOfTheBaseIsListed() throws IOException {
    try (Stream<Path> files = Files.list(Manifests.DEPLOY.resolve("base"))) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.equals("kustomization.yaml"))
              .toList();

      assertThat(Manifests.read("base/kustomization.yaml"))
          .contains(names.stream().map(name -> "- " + name + "\n").toList());
    }
  }

  @Test
  void imagesHaveTheVersionOfTheBuild() throws IOException {
    String pom = Manifests.read(Manifests.DEPLOY.resolveSibling("pom.xml"));
    String version = pom.replaceFirst("(?s).*?<version>([^<]*)</version>.*", "$1");
    try (Stream<Path> files = Files.walk(Manifests.DEPLOY)) {
      List<String> images =
          files
              .filter(file -> file.toString().endsWith(".yaml"))
              .flatMap(file -> IMAGE.matcher(Manifests.read(file)).results())
              .map((MatchResult match) -> match.group(1))
              .distinct()
              .toList();

      assertThat(images).containsExactly("holdfast:" + version);
    }
  }
}
