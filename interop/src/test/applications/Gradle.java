// SPDX-License-Identifier: Apache-2.0
package application;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.gradle.api.Project;
import org.gradle.testfixtures.ProjectBuilder;

/**
 * Gradle as a library: reads the build scripts of projects, lets Gradle choose the libraries, and
 * compiles with what it chose. Arguments: Gradle's home, whether it is offline, and the projects.
 */
public final class Gradle {
  private Gradle() {}

  public static void main(String[] args) throws Exception {
    try {
      for (String project : List.of(args).subList(2, args.length)) {
        build(new File(project), new File(args[0]), Boolean.parseBoolean(args[1]));
      }
    } catch (Throwable e) {
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(0); // it leaves threads behind
  }

  private static void build(File directory, File home, boolean offline) throws Exception {
    Project project =
        ProjectBuilder.builder().withProjectDir(directory).withGradleUserHomeDir(home).build();
    project.getGradle().getStartParameter().setOffline(offline);
    project.apply(Map.of("from", "build.gradle"));
    Path output = directory.toPath().resolve("build");
    Files.createDirectories(output.resolve("classes/java/main"));
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-d", output.resolve("classes/java/main").toString()));
    arguments.addAll(List.of("-cp", classPath(project, "compileClasspath")));
    try (Stream<Path> sources = Files.walk(directory.toPath().resolve("src/main/java"))) {
      sources.filter(Files::isRegularFile).forEach(file -> arguments.add(file.toString()));
    }
    if (ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new))
        != 0) {
      throw new IllegalStateException(directory + " does not compile");
    }
    Files.writeString(output.resolve("classpath"), classPath(project, "runtimeClasspath"));
  }

  private static String classPath(Project project, String configuration) {
    return project.getConfigurations().getByName(configuration).getAsPath();
  }
}
