// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A Java that runs applications.
 *
 * @param version as it says itself, such as {@code 21.0.8}
 */
record JavaRuntime(Path home, String version) {
  static JavaRuntime ofThisTest() throws IOException {
    return at(Path.of(System.getProperty("java.home")));
  }

  /**
   * All that this machine has, the one of this test first: what is installed, and what {@code
   * interop/bin/get-java} fetched.
   */
  static List<JavaRuntime> found() throws IOException {
    List<JavaRuntime> found = new ArrayList<>(List.of(ofThisTest()));
    for (Path place : List.of(Path.of("/usr/lib/jvm"), UserCache.directory().resolve("java"))) {
      if (!Files.isDirectory(place)) {
        continue;
      }
      List<Path> homes;
      try (Stream<Path> all = Files.list(place)) {
        homes = all.filter(JavaRuntime::isHome).sorted().toList();
      }
      for (Path home : homes) {
        if (!home.equals(found.get(0).home())) {
          found.add(at(home));
        }
      }
    }
    return found.stream().filter(each -> each.release() >= 17).toList();
  }

  private static boolean isHome(Path home) {
    return Files.isExecutable(home.resolve("bin/java"))
        && Files.isRegularFile(home.resolve("release"))
        && !Files.isSymbolicLink(home);
  }

  private static JavaRuntime at(Path home) throws IOException {
    Properties properties = new Properties();
    try (Reader release = Files.newBufferedReader(home.resolve("release"))) {
      properties.load(release);
    }
    return new JavaRuntime(home, properties.getProperty("JAVA_VERSION", "0").replace("\"", ""));
  }

  Path program() {
    return home.resolve("bin/java");
  }

  /** 17, 21 and so on. */
  int release() {
    return Runtime.Version.parse(version).feature();
  }

  @Override
  public String toString() {
    return version + " in " + home;
  }
}
