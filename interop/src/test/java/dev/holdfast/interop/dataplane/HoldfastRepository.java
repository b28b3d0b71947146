// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import dev.holdfast.interop.TestSources;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A Maven repository with this build's artifacts, for applications that are built with them. */
final class HoldfastRepository {
  static final String VERSION = "0.1.0-SNAPSHOT";

  private static final Path ROOT = TestSources.repositoryRoot();

  /** What applications get with holdfast-grpc. */
  private static final List<String> MODULES =
      List.of("base", "xds-protos", "xds-client", "xds-resources", "grpc");

  private HoldfastRepository() {}

  /** As {@code mvn install} would leave them. */
  static void install(Path repository) throws IOException {
    Files.copy(ROOT.resolve("pom.xml"), inRepository(repository, "holdfast", "pom"));
    Files.copy(ROOT.resolve("bom/pom.xml"), inRepository(repository, "holdfast-bom", "pom"));
    for (String module : MODULES) {
      Files.copy(
          ROOT.resolve(module + "/pom.xml"), inRepository(repository, "holdfast-" + module, "pom"));
      Path classes = onClassPath(module);
      Path jar = inRepository(repository, "holdfast-" + module, "jar");
      if (Files.isDirectory(classes)) {
        pack(classes, jar);
      } else {
        Files.copy(classes, jar);
      }
    }
  }

  private static Path inRepository(Path repository, String artifact, String type)
      throws IOException {
    Path versions =
        Files.createDirectories(
            repository.resolve("dev/holdfast").resolve(artifact).resolve(VERSION));
    return versions.resolve(artifact + "-" + VERSION + "." + type);
  }

  /** A jar, or a directory if Maven was told to stop before it makes one. */
  private static Path onClassPath(String module) {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getProperty("java.class.path"))
        .map(Path::of)
        .filter(entry -> entry.startsWith(ROOT.resolve(module).resolve("target")))
        .findFirst()
        .orElseThrow(() -> new AssertionError(module + ": not on the class path"));
  }

  private static void pack(Path classes, Path jar) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(classes)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Path file : files) {
        zip.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
        Files.copy(file, zip);
        zip.closeEntry();
      }
    }
  }
}
