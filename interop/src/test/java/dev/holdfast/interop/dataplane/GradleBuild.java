// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.interop.TestSources;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Builds little Gradle projects, with this build's artifacts and those of Maven Central. What
 * Gradle once fetched is in the per-user cache; it fetches only if {@code
 * HOLDFAST_REQUIRE=applications} says that nothing may be missing, else the test is skipped.
 */
final class GradleBuild {
  /** The newest that Maven Central has as one library. */
  static final String LIBRARY_VERSION = "8.11.1";

  private static final Path ROOT = TestSources.repositoryRoot();

  private final Path directory;
  private final List<GradleApplication> applications;

  GradleBuild(Path directory, List<GradleApplication> applications) {
    this.directory = directory;
    this.applications = List.copyOf(applications);
  }

  private void write() throws IOException {
    Path repository = directory.resolve("repository");
    HoldfastRepository.install(repository);
    StringBuilder settings = new StringBuilder("rootProject.name = 'all'\n");
    for (GradleApplication each : applications) {
      Path project = directory.resolve(each.name());
      Path java = Files.createDirectories(project.resolve("src/main/java/application"));
      Files.copy(
          ROOT.resolve("interop/src/test/applications/Main.java"), java.resolve("Main.java"));
      Files.writeString(project.resolve("build.gradle"), each.script(repository));
      settings.append("include '").append(each.name()).append("'\n");
    }
    Files.writeString(directory.resolve("settings.gradle"), settings);
  }

  /** With the program of the machine, if it has one. */
  void withProgram() throws IOException, InterruptedException {
    Process find =
        new ProcessBuilder(ROOT.resolve("interop/bin/find-gradle").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(find.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    boolean found = find.waitFor() == 0;
    if (!found && Requirements.require("gradle")) {
      throw new AssertionError(said + " (required by HOLDFAST_REQUIRE)");
    }
    assumeTrue(found, said);
    write();
    build(
        offline -> {
          List<String> command = new ArrayList<>(List.of(said, "--no-daemon", "--stacktrace"));
          if (offline) {
            command.add("--offline");
          }
          command.addAll(List.of("-g", home("program").toString(), "classes", "classpath"));
          return command;
        });
  }

  /** With Gradle as a library, whose own libraries Maven finds. */
  void withLibrary() throws IOException, InterruptedException {
    Application gradle =
        new Application(
            "gradle",
            List.of(),
            List.of("dev.gradleplugins:gradle-api:" + LIBRARY_VERSION),
            "application.Gradle",
            "");
    ApplicationBuild maven =
        new ApplicationBuild(Files.createDirectories(directory.resolve("library")));
    maven.build(List.of(gradle));
    write();
    String classPath = maven.classPath(gradle);
    build(
        offline -> {
          List<String> command =
              new ArrayList<>(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                      "--add-opens=java.base/java.lang=ALL-UNNAMED",
                      "-cp",
                      classPath,
                      gradle.main(),
                      home("library").toString(),
                      Boolean.toString(offline)));
          applications.forEach(each -> command.add(directory.resolve(each.name()).toString()));
          return command;
        });
  }

  private static Path home(String kind) {
    return UserCache.directory().resolve("gradle").resolve(kind);
  }

  /** The class path that Gradle resolved for a project, with the project's own classes. */
  String classPath(GradleApplication application) throws IOException {
    Path output = directory.resolve(application.name()).resolve("build");
    return output.resolve("classes/java/main")
        + File.pathSeparator
        + Files.readString(output.resolve("classpath"));
  }

  private interface Command {
    List<String> words(boolean offline);
  }

  private record Ended(int exitCode, String log) {
    boolean lacksLibraries() {
      return exitCode != 0 && log.contains("available for offline mode");
    }
  }

  private void build(Command command) throws IOException, InterruptedException {
    Ended built = run(command.words(true));
    if (built.lacksLibraries() && Requirements.require("applications")) {
      built = run(command.words(false));
    }
    if (built.lacksLibraries()) {
      String line =
          "applications not built with Gradle: its cache lacks some of their libraries;"
              + " HOLDFAST_REQUIRE=applications fetches them";
      System.out.println(line);
      assumeTrue(false, line);
    }
    if (built.exitCode() != 0) {
      throw new AssertionError(built.log());
    }
  }

  private Ended run(List<String> command) throws IOException, InterruptedException {
    Path log = directory.resolve("gradle.log");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process gradle = builder.start();
    if (!gradle.waitFor(10, TimeUnit.MINUTES)) {
      gradle.destroyForcibly();
      throw new AssertionError("Gradle takes too long: " + Files.readString(log));
    }
    return new Ended(gradle.exitValue(), Files.readString(log));
  }
}
