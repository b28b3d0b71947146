// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A little Maven project with {@code holdfast-grpc}, as an application has it: its BOMs in their
 * order, its direct dependencies, and what has to come of a call that it makes.
 *
 * @param name its name, and that of its directory
 * @param managed what its dependency management has, in order: BOMs and single versions
 * @param dependencies its dependencies, in order
 * @param main the class that it starts
 * @param outcome what its call ends with, as a regular expression
 */
record Application(
    String name, List<String> managed, List<String> dependencies, String main, String outcome) {
  static final String HOLDFAST_BOM =
      "dev.holdfast:holdfast-bom:" + HoldfastRepository.VERSION + ":pom";

  /** What an application with gRPC has, with the versions of some BOM. */
  private static final List<String> ORDINARY =
      List.of("io.grpc:grpc-protobuf", "io.grpc:grpc-stub", "dev.holdfast:holdfast-grpc");

  static Application with(String name, String... managed) {
    return new Application(name, List.of(managed), ORDINARY, "application.Main", "OK: one");
  }

  static String grpcBom(String version) {
    return "io.grpc:grpc-bom:" + version + ":pom";
  }

  static String protobufBom(String version) {
    return "com.google.protobuf:protobuf-bom:" + version + ":pom";
  }

  /** The same with its dependencies before those it has. */
  Application and(String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    dependencies.stream().filter(each -> !all.contains(each)).forEach(all::add);
    return new Application(name, managed, List.copyOf(all), main, outcome);
  }

  /** The same without the transport that comes with Holdfast. */
  Application withoutShadedNetty() {
    List<String> all =
        dependencies.stream()
            .map(each -> each.equals("dev.holdfast:holdfast-grpc") ? each + "!shaded" : each)
            .toList();
    return new Application(name, managed, all, main, outcome);
  }

  Application starting(String otherMain) {
    return new Application(name, managed, dependencies, otherMain, outcome);
  }

  /** Its class path is refused with this line: artifacts with versions, and those expected. */
  Application refused(String found, String expected) {
    return new Application(name, managed, dependencies, main, refusal(found, expected));
  }

  /** What a call ends with, as a regular expression, if the class path is refused. */
  static String refusal(String found, String expected) {
    return "UNAVAILABLE: target xds:///svc: on the class path: "
        + found
        + " \\(expected: "
        + expected
        + "\\); raise it in the build of the application"
        + " \\(for gRPC: import dev\\.holdfast:holdfast-bom before other BOMs\\)";
  }

  /** Its source files. */
  List<String> sources() {
    String own = main.substring(main.lastIndexOf('.') + 1) + ".java";
    return own.equals("MetricsMain.java") ? List.of("Main.java", own) : List.of(own);
  }

  boolean isRefused() {
    return outcome.startsWith("UNAVAILABLE");
  }

  String pom() {
    return """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>application</groupId>
          <artifactId>%s</artifactId>
          <version>1</version>
          <properties>
            <maven.compiler.release>17</maven.compiler.release>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
          </properties>
          <dependencyManagement>
            <dependencies>
        %s
            </dependencies>
          </dependencyManagement>
          <dependencies>
        %s
          </dependencies>
          <build>
            <plugins>
              <plugin>
                <groupId>org.apache.maven.plugins</groupId>
                <artifactId>maven-resources-plugin</artifactId>
                <version>3.3.1</version>
              </plugin>
              <plugin>
                <groupId>org.apache.maven.plugins</groupId>
                <artifactId>maven-compiler-plugin</artifactId>
                <version>3.16.0</version>
              </plugin>
              <plugin>
                <groupId>org.apache.maven.plugins</groupId>
                <artifactId>maven-dependency-plugin</artifactId>
                <version>3.8.1</version>
                <executions>
                  <execution>
                    <goals><goal>build-classpath</goal></goals>
                    <phase>compile</phase>
                    <configuration>
                      <includeScope>runtime</includeScope>
                      <outputFile>${project.build.directory}/classpath</outputFile>
                    </configuration>
                  </execution>
                </executions>
              </plugin>
            </plugins>
          </build>
        </project>
        """
        .formatted(
            name,
            managed.stream().map(Application::dependency).collect(Collectors.joining("\n")),
            dependencies.stream().map(Application::dependency).collect(Collectors.joining("\n")));
  }

  private static String dependency(String coordinates) {
    boolean excluding = coordinates.endsWith("!shaded");
    String[] parts = coordinates.replace("!shaded", "").split(":", -1);
    return "<dependency><groupId>%s</groupId><artifactId>%s</artifactId>%s%s%s</dependency>"
        .formatted(
            parts[0],
            parts[1],
            parts.length > 2 ? "<version>" + parts[2] + "</version>" : "",
            parts.length > 3 ? "<type>pom</type><scope>import</scope>" : "",
            excluding
                ? "<exclusions><exclusion><groupId>io.grpc</groupId>"
                    + "<artifactId>grpc-netty-shaded</artifactId></exclusion></exclusions>"
                : "");
  }

  @Override
  public String toString() {
    return name;
  }
}
