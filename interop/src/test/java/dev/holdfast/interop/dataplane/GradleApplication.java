// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A little application that Gradle builds.
 *
 * @param dependencies what its script says in {@code dependencies}, in order
 * @param forced versions that its script forces
 * @param outcome what its call ends with, as a regular expression
 */
record GradleApplication(
    String name, List<String> dependencies, List<String> forced, String outcome) {
  private static final String HOLDFAST =
      "implementation 'dev.holdfast:holdfast-grpc:" + HoldfastRepository.VERSION + "'";

  /** With versions of their own for gRPC's artifacts, and no BOM. */
  static GradleApplication withGrpc(String name, String version) {
    return new GradleApplication(
        name,
        List.of(
            "implementation 'io.grpc:grpc-protobuf:" + version + "'",
            "implementation 'io.grpc:grpc-stub:" + version + "'",
            HOLDFAST),
        List.of(),
        "OK: one");
  }

  /** With platforms, which have all versions. */
  static GradleApplication withPlatforms(String name, String... platforms) {
    List<String> lines = new ArrayList<>();
    for (String platform : platforms) {
      lines.add("implementation " + platform);
    }
    lines.add("implementation 'io.grpc:grpc-protobuf'");
    lines.add("implementation 'io.grpc:grpc-stub'");
    lines.add("implementation 'dev.holdfast:holdfast-grpc'");
    return new GradleApplication(name, List.copyOf(lines), List.of(), "OK: one");
  }

  static String platform(String coordinates) {
    return "platform('" + coordinates + "')";
  }

  static String enforcedPlatform(String coordinates) {
    return "enforcedPlatform('" + coordinates + "')";
  }

  GradleApplication and(String... lines) {
    List<String> all = new ArrayList<>(dependencies);
    all.addAll(List.of(lines));
    return new GradleApplication(name, List.copyOf(all), forced, outcome);
  }

  GradleApplication withoutShadedNetty() {
    List<String> all =
        dependencies.stream()
            .map(line -> line.equals(HOLDFAST) ? excludingShadedNetty() : line)
            .toList();
    return new GradleApplication(name, all, forced, outcome);
  }

  private static String excludingShadedNetty() {
    return HOLDFAST.replace("implementation ", "implementation(")
        + ") { exclude group: 'io.grpc', module: 'grpc-netty-shaded' }";
  }

  GradleApplication forcing(String... versions) {
    return new GradleApplication(name, dependencies, List.of(versions), outcome);
  }

  /** Its class path is refused with this line: artifacts with versions, and those expected. */
  GradleApplication refused(String found, String expected) {
    return new GradleApplication(name, dependencies, forced, Application.refusal(found, expected));
  }

  boolean isRefused() {
    return !outcome.startsWith("OK");
  }

  /** A script that any Gradle reads from 4.4 on, if the dependencies are of that kind. */
  String script(Path repository) {
    return """
        apply plugin: 'java'
        repositories {
          maven { url = uri('%s') }
          mavenCentral()
        }
        dependencies {
        %s
        }
        configurations.all {
          resolutionStrategy {
        %s
          }
        }
        tasks.create('classpath').doLast {
          file('build/classpath').text = configurations.runtimeClasspath.asPath
        }
        """
        .formatted(
            repository.toUri(),
            dependencies.stream().map(line -> "  " + line).collect(Collectors.joining("\n")),
            forced.stream()
                .map(version -> "    force '" + version + "'")
                .collect(Collectors.joining("\n")));
  }

  @Override
  public String toString() {
    return name;
  }
}
