// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.TestSources;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Builds little Maven projects: with Maven, in one reactor, against a local repository that has
 * this build's artifacts in front of those that the machine has anyway.
 */
final class ApplicationBuild {
  private static final Path ROOT = TestSources.repositoryRoot();
  private static final String VERSION = "0.1.0-SNAPSHOT";

  /** What applications get with holdfast-grpc. */
  private static final List<String> MODULES =
      List.of("base", "xds-protos", "xds-client", "xds-resources", "grpc");

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
      Files.copy(sources.resolve("Main.java"), java.resolve("Main.java"));
      if (each.main().endsWith("MetricsMain")) {
        Files.copy(sources.resolve("MetricsMain.java"), java.resolve("MetricsMain.java"));
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
    installHoldfast();
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
    if (built.lacksLibraries() && isRequired()) {
      // Into the repository of the machine, so that they are there the next time.
      maven("-nsu", localRepository(), repository().toString());
      built = maven("-o", repository().toString(), localRepository());
    }
    if (built.lacksLibraries() && !isRequired()) {
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

  private static boolean isRequired() {
    return List.of(System.getenv().getOrDefault("HOLDFAST_REQUIRE", "").split(","))
        .contains("applications");
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

  /** As {@code mvn install} would leave them. */
  private void installHoldfast() throws IOException {
    Files.copy(ROOT.resolve("pom.xml"), inRepository("holdfast", "pom"));
    Files.copy(ROOT.resolve("bom/pom.xml"), inRepository("holdfast-bom", "pom"));
    for (String module : MODULES) {
      Files.copy(ROOT.resolve(module + "/pom.xml"), inRepository("holdfast-" + module, "pom"));
      Path classes = onClassPath(module);
      Path jar = inRepository("holdfast-" + module, "jar");
      if (Files.isDirectory(classes)) {
        pack(classes, jar);
      } else {
        Files.copy(classes, jar);
      }
    }
  }

  private Path inRepository(String artifact, String type) throws IOException {
    Path versions =
        Files.createDirectories(
            repository().resolve("dev/holdfast").resolve(artifact).resolve(VERSION));
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

  /** What an application printed, and what it, or a library in it, logged. */
  record Run(List<String> output, List<String> errors) {}

  Run start(Application application, Path java, Map<String, String> environment)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(directory, application.name(), ".out");
    Path err = Files.createTempFile(directory, application.name(), ".err");
    ProcessBuilder builder =
        new ProcessBuilder(
                java.toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(application),
                application.main(),
                "xds:///svc")
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GRPC_"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError(application + " does not end: " + Files.readString(err));
    }
    return new Run(Files.readAllLines(out), Files.readAllLines(err));
  }
}
