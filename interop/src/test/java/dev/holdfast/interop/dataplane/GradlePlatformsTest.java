// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static dev.holdfast.interop.dataplane.GradleApplication.enforcedPlatform;
import static dev.holdfast.interop.dataplane.GradleApplication.platform;
import static dev.holdfast.interop.dataplane.GradleApplication.withGrpc;
import static dev.holdfast.interop.dataplane.GradleApplication.withPlatforms;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Applications with the BOM as a platform, which Gradle has since 5.0: the highest version wins
 * whatever the order, unless a platform is enforced. Gradle runs as a library here.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GradlePlatformsTest {
  private static final String HOLDFAST_BOM =
      platform("dev.holdfast:holdfast-bom:" + HoldfastRepository.VERSION);

  @TempDir private static Path directory;
  private final GradleStage stage = new GradleStage();
  private GradleBuild build = new GradleBuild(Path.of(""), List.of());

  static List<GradleApplication> applications() {
    return List.of(
        withPlatforms("bom", HOLDFAST_BOM),
        withPlatforms("older-grpc-bom-in-front", platform("io.grpc:grpc-bom:1.68.3"), HOLDFAST_BOM),
        withPlatforms("older-grpc-bom-behind", HOLDFAST_BOM, platform("io.grpc:grpc-bom:1.68.3")),
        withPlatforms(
                "enforced-older-grpc-bom",
                HOLDFAST_BOM,
                enforcedPlatform("io.grpc:grpc-bom:1.68.3"))
            .refused(ApplicationsTest.grpc("1.68.3"), ApplicationsTest.GRPC_EXPECTED),
        withPlatforms(
            "enforced-oldest-grpc-bom", HOLDFAST_BOM, enforcedPlatform("io.grpc:grpc-bom:1.77.1")),
        withPlatforms(
            "newer-protobuf", HOLDFAST_BOM, platform("com.google.protobuf:protobuf-bom:4.36.2")),
        withPlatforms(
            "spring-boot-3.5",
            HOLDFAST_BOM,
            platform("org.springframework.boot:spring-boot-dependencies:3.5.16")),
        withPlatforms(
            "spring-boot-4.1",
            HOLDFAST_BOM,
            platform("org.springframework.boot:spring-boot-dependencies:4.1.2")),
        withPlatforms("with-grpc-xds", HOLDFAST_BOM).and("implementation 'io.grpc:grpc-xds'"),
        withGrpc("no-bom", "1.77.1"));
  }

  @BeforeAll
  void buildAll() throws Exception {
    build = new GradleBuild(directory, applications());
    build.withLibrary();
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
