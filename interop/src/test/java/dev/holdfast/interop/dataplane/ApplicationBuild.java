// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.TestSources;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Builds little Maven projects: with Maven, in one reactor, against a local repository that has
 * this build's artifacts in front of those that the machine has anyway.
 */
final class ApplicationBuild {
  private static final Path ROOT = TestSources.repositoryRoot();

  private final Path directory;

  ApplicationBuild(Path directory) {
    this.directory = directory;
  }

  /**
   * Builds them all. What the machine does not have is fetched only if {@code
   * HOLDFAST_REQUIRE=applications} says that it must not be missing; else the test is skipped.
   */
  void build(List<Application> applications) throws IOException, InterruptedException {
    Path sources = ROOT.resolve("interop/src/test/applications");
    StringBuilder modules = new StringBuilder();
    for (Application each : applications) {
      Path project = directory.resolve(each.name());
      Path java = Files.createDirectories(project.resolve("src/main/java/application"));
      Files.writeString(project.resolve("pom.xml"), each.pom());
      for (String source : each.sources()) {
        Files.copy(sources.resolve(source), java.resolve(source));
      }
      modules.append("<module>").append(each.name()).append("</module>");
    }
    Files.writeString(
        directory.resolve("pom.xml"),
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>application</groupId>
          <artifactId>all</artifactId>
          <version>1</version>
          <packaging>pom</packaging>
          <modules>%s</modules>
        </project>
        """
            .formatted(modules));
    HoldfastRepository.install(repository());
    run();
  }

  /** The class path that Maven resolved for a project, with the project's own classes. */
  String classPath(Application application) throws IOException {
    Path target = directory.resolve(application.name()).resolve("target");
    return target.resolve("classes")
        + File.pathSeparator
        + Files.readString(target.resolve("classpath"));
  }

  private void run() throws IOException, InterruptedException {
    Maven built = maven("-o", repository().toString(), localRepository());
    if (built.lacksLibraries() && Requirements.require("applications")) {
      // Into the repository of the machine, so that they are there the next time.
      maven("-nsu", localRepository(), repository().toString());
      built = maven("-o", repository().toString(), localRepository());
    }
    if (built.lacksLibraries() && !Requirements.require("applications")) {
      String line =
          "applications not tested: the local Maven repository lacks some of their libraries;"
              + " HOLDFAST_REQUIRE=applications fetches them";
      System.out.println(line);
      assumeTrue(false, line);
    }
    if (built.exitCode() != 0) {
      throw new AssertionError(built.log());
    }
  }

  private record Maven(int exitCode, String log) {
    boolean lacksLibraries() {
      return exitCode != 0 && log.contains("offline mode");
    }
  }

  /** Artifacts are looked for in both repositories; what is fetched goes into the first. */
  private Maven maven(String option, String first, String second)
      throws IOException, InterruptedException {
    Path log = directory.resolve("maven.log");
    Process maven =
        new ProcessBuilder(
                ROOT.resolve("mvnw").toString(),
                "-B",
                "-ntp",
                "-q",
                "-T2",
                "--fail-at-end",
                option,
                "-Dmaven.repo.local=" + first,
                "-Dmaven.repo.local.tail=" + second,
                "compile")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!maven.waitFor(10, TimeUnit.MINUTES)) {
      maven.destroyForcibly();
      throw new AssertionError("Maven takes too long: " + Files.readString(log));
    }
    return new Maven(maven.exitValue(), Files.readString(log));
  }

  private Path repository() {
    return directory.resolve("repository");
  }

  /** The one of the Maven that runs this test. */
  private static String localRepository() {
    return System.getProperty(
        "localRepository", System.getProperty("user.home") + "/.m2/repository");
  }
}
