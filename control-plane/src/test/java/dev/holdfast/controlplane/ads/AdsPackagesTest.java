// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of the xDS server use only those below them. */
class AdsPackagesTest {
  /** From top to bottom; the empty name is the package of the server itself. */
  private static final List<String> ORDER =
      List.of("fleet", "", "stream", "reconnect", "view", "proxy", "wire", "access");

  private static final Path SOURCES = Path.of("src/main/java/dev/holdfast/controlplane/ads");
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:static )?dev\\.holdfast\\.controlplane\\.ads\\.(?:([a-z]+)\\.)?");

  @Test
  void eachPackageUsesOnlyThoseBelowIt() throws IOException {
    List<String> wrong = new ArrayList<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String own = SOURCES.relativize(file.getParent()).toString();
        assertThat(ORDER).contains(own);
        for (String line : Files.readAllLines(file)) {
          Matcher matcher = IMPORT.matcher(line);
          if (matcher.find()) {
            String used = matcher.group(1) == null ? "" : matcher.group(1);
            if (ORDER.indexOf(used) < ORDER.indexOf(own)) {
              wrong.add(SOURCES.relativize(file) + ": " + line);
            }
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
  }
}
