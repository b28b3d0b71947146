// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static dev.holdfast.interop.dataplane.GradleApplication.withGrpc;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Applications without a BOM, built by the Gradle of the machine, which may be as old as 4.4: it
 * takes the highest version that anybody asks for.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GradleApplicationsTest {
  @TempDir private static Path directory;
  private final GradleStage stage = new GradleStage();
  private GradleBuild build = new GradleBuild(Path.of(""), List.of());

  static List<GradleApplication> applications() {
    return List.of(
        withGrpc("same-grpc", "1.85.1"),
        withGrpc("oldest-grpc", "1.77.1"),
        withGrpc("grpc-that-is-too-old", "1.68.3"),
        withGrpc("protobuf-4", "1.85.1")
            .and("implementation 'com.google.protobuf:protobuf-java:4.36.2'"),
        withGrpc("protobuf-that-is-too-old", "1.85.1")
            .and("implementation 'com.google.protobuf:protobuf-java:3.21.12'"),
        withGrpc("netty-only", "1.85.1")
            .withoutShadedNetty()
            .and("runtimeOnly 'io.grpc:grpc-netty:1.85.1'"),
        withGrpc("with-grpc-xds", "1.85.1").and("implementation 'io.grpc:grpc-xds:1.85.1'"),
        withGrpc("forced-protobuf", "1.85.1")
            .forcing("com.google.protobuf:protobuf-java:3.21.12")
            .refused(
                "com\\.google\\.protobuf:protobuf-java 3\\.21\\.12",
                ApplicationsTest.PROTOBUF_EXPECTED));
  }

  @BeforeAll
  void buildAll() throws Exception {
    build = new GradleBuild(directory, applications());
    build.withProgram();
  }

  @AfterAll
  void close() {
    stage.close();
  }

  @ParameterizedTest
  @MethodSource("applications")
  void callsGoThroughOrOneLineSaysWhichLibraryIsNeeded(GradleApplication application)
      throws Exception {
    stage.check(application, build);
  }
}
