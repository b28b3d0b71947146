// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import static dev.holdfast.interop.dataplane.Application.HOLDFAST_BOM;
import static dev.holdfast.interop.dataplane.Application.grpcBom;
import static dev.holdfast.interop.dataplane.Application.protobufBom;
import static dev.holdfast.interop.dataplane.Application.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ordinary applications, as little Maven projects that are built and run: with the versions of gRPC
 * and protobuf that they have, their calls go through, and nothing is logged; or one line says
 * which library is there, and which is needed. {@code -Dholdfast.applications=all} runs all of
 * them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApplicationsTest {
  private static final boolean ALL = "all".equals(System.getProperty("holdfast.applications"));
  static final String GRPC_EXPECTED = "1\\.77\\.0 or newer";
  static final String PROTOBUF_EXPECTED = "3\\.25, or 4\\.27 or newer";

  /** What the application reads as a message: the field with number one, three bytes long. */
  static final String ANSWER = "\n\u0003one";

  private static final Application ORDINARY = with("ordinary", HOLDFAST_BOM);

  private static final Application METRICS =
      with("opentelemetry", HOLDFAST_BOM)
          .and(
              "io.grpc:grpc-opentelemetry",
              "io.opentelemetry:opentelemetry-sdk-testing:1.65.0",
              "io.opentelemetry:opentelemetry-sdk:1.65.0")
          .starting("application.MetricsMain");

  /** Those that every build has. */
  private static final List<Application> SOME =
      List.of(
          ORDINARY,
          METRICS,
          oldestGrpc("grpc-1.77.1", "1.77.1"),
          with("older-grpc-bom-behind", HOLDFAST_BOM, grpcBom("1.68.3")),
          with("grpc-1.76.3", grpcBom("1.76.3"), HOLDFAST_BOM)
              .refused(grpc("1.76.3"), GRPC_EXPECTED),
          with("grpc-1.68.3", grpcBom("1.68.3"), HOLDFAST_BOM)
              .refused(grpc("1.68.3"), GRPC_EXPECTED),
          with("protobuf-3.21.12", HOLDFAST_BOM, protobufBom("3.21.12"))
              .refused("com\\.google\\.protobuf:protobuf-java 3\\.21\\.12", PROTOBUF_EXPECTED),
          with("protobuf-4.36.2", HOLDFAST_BOM, protobufBom("4.36.2")),
          with("netty-only", HOLDFAST_BOM).and("io.grpc:grpc-netty").withoutShadedNetty(),
          with("with-grpc-xds", HOLDFAST_BOM).and("io.grpc:grpc-xds"));

  private static final List<Application> MORE =
      List.of(
          oldestGrpc("grpc-1.78.0", "1.78.0"),
          oldestGrpc("grpc-1.79.0", "1.79.0"),
          oldestGrpc("grpc-1.80.0", "1.80.0"),
          oldestGrpc("grpc-1.81.0", "1.81.0"),
          oldestGrpc("grpc-1.82.4", "1.82.4"),
          oldestGrpc("grpc-1.83.1", "1.83.1"),
          oldestGrpc("grpc-1.84.3", "1.84.3"),
          oldestGrpc("grpc-1.85.1", "1.85.1"),
          oldestGrpc("grpc-1.78.0-with-grpc-xds", "1.78.0").and("io.grpc:grpc-xds"),
          oldestGrpc("grpc-1.77.1-netty", "1.77.1").and("io.grpc:grpc-netty"),
          with(
              "grpc-1.77.1-protobuf-4.33.4",
              grpcBom("1.77.1"),
              protobufBom("4.33.4"),
              HOLDFAST_BOM),
          with("versions-of-their-own", HOLDFAST_BOM)
              .and("io.grpc:grpc-protobuf:1.77.1", "io.grpc:grpc-stub:1.77.1"),
          with("old-util", "io.grpc:grpc-util:1.68.3", HOLDFAST_BOM)
              .refused("io\\.grpc:grpc-util 1\\.68\\.3", GRPC_EXPECTED),
          with("protobuf-3.25.1", HOLDFAST_BOM, protobufBom("3.25.1")),
          with("protobuf-4.26.1", HOLDFAST_BOM, protobufBom("4.26.1"))
              .refused("com\\.google\\.protobuf:protobuf-java 4\\.26\\.1", PROTOBUF_EXPECTED),
          with("protobuf-4.27.5", HOLDFAST_BOM, protobufBom("4.27.5")),
          with("protobuf-4.28.3", HOLDFAST_BOM, protobufBom("4.28.3")),
          with("protobuf-4.33.4", HOLDFAST_BOM, protobufBom("4.33.4")),
          with("gson-2.8.9", HOLDFAST_BOM, "com.google.code.gson:gson:2.8.9")
              .refused("com\\.google\\.code\\.gson:gson 2\\.8\\.9", "2\\.11\\.0 or newer"),
          with("gson-2.11.0", HOLDFAST_BOM, "com.google.code.gson:gson:2.11.0"),
          with("netty-and-shaded", HOLDFAST_BOM).and("io.grpc:grpc-netty"),
          with("spring-boot-3.5", springBoot("3.5.16"), HOLDFAST_BOM),
          with("spring-boot-4.0", springBoot("4.0.9"), HOLDFAST_BOM),
          with("spring-boot-4.1", springBoot("4.1.2"), HOLDFAST_BOM),
          with("spring-boot-4.1-behind", HOLDFAST_BOM, springBoot("4.1.2")),
          with(
              "spring-grpc-1.0",
              "org.springframework.grpc:spring-grpc-dependencies:1.0.3:pom",
              HOLDFAST_BOM));

  @TempDir private static Path directory;
  private final Stage stage = new Stage();
  private ApplicationBuild build = new ApplicationBuild(Path.of(""));

  private static Application oldestGrpc(String name, String version) {
    return with(name, grpcBom(version), HOLDFAST_BOM);
  }

  private static String springBoot(String version) {
    return "org.springframework.boot:spring-boot-dependencies:" + version + ":pom";
  }

  /** All of its artifacts, as one line names them. */
  static String grpc(String version) {
    String pattern = version.replace(".", "\\.");
    return Stream.of("api", "core", "util", "stub", "protobuf", "netty-shaded")
        .map(artifact -> "io\\.grpc:grpc-" + artifact + " " + pattern)
        .reduce((one, other) -> one + ", " + other)
        .orElseThrow();
  }

  static List<Application> applications() {
    List<Application> all = new ArrayList<>(SOME);
    if (ALL) {
      all.addAll(MORE);
    }
    return all;
  }

  @BeforeAll
  void buildAll() throws Exception {
    build = new ApplicationBuild(directory);
    build.build(applications());
    stage.serve(stage.backend(ANSWER));
  }

  @AfterAll
  void close() {
    stage.close();
  }

  private ApplicationRun start(Application application) throws Exception {
    return start(application, JavaRuntime.ofThisTest());
  }

  private ApplicationRun start(Application application, JavaRuntime runtime) throws Exception {
    return ApplicationRun.start(
        runtime.program(),
        build.classPath(application),
        application.main(),
        stage.bootstrapVariables());
  }

  @ParameterizedTest
  @MethodSource("applications")
  void callsGoThroughOrOneLineSaysWhichLibraryIsNeeded(Application application) throws Exception {
    ApplicationRun run = start(application);

    assertThat(run.output()).as("%s", run.errors()).isNotEmpty();
    assertThat(run.output().get(0)).as("%s", run.errors()).matches(application.outcome());
    if (application.isRefused()) {
      assertThat(String.join("\n", run.errors())).doesNotContain("Panic", "\tat ");
    } else {
      assertThat(run.errorsOfHoldfast()).isEmpty();
    }
  }

  static List<JavaRuntime> runtimes() throws IOException {
    return JavaRuntime.found();
  }

  @ParameterizedTest
  @MethodSource("runtimes")
  void anyJavaFromSeventeenOnWillDo(JavaRuntime runtime) throws Exception {
    ApplicationRun run = start(ORDINARY, runtime);

    assertThat(run.output()).as("%s", run.errors()).containsExactly("OK: one");
  }

  @Test
  void releasesWithLongTermSupportAreAmongThem() throws IOException {
    List<Integer> releases = JavaRuntime.found().stream().map(JavaRuntime::release).toList();

    if (Requirements.require("java")) {
      assertThat(releases).contains(17, 21, 25);
    }
    assertThat(releases).contains(Runtime.version().feature());
  }

  /** The ones of gRPC itself; those of the xDS client need {@code XdsOptions.withMetrics}. */
  @Test
  void metricsOfGrpcOpenTelemetrySpeakOfTheCallsOfAnXdsChannel() throws Exception {
    ApplicationRun run = start(METRICS);

    assertThat(run.output())
        .anyMatch(
            line ->
                line.startsWith("grpc.client.attempt.duration ")
                    && line.contains("grpc.target=xds:///svc")
                    && line.contains("grpc.lb.backend_service=c")
                    && line.contains("grpc.lb.locality={region=")
                    && line.contains("grpc.status=OK"))
        .anyMatch(line -> line.startsWith("grpc.client.call.duration "))
        .anyMatch(
            line ->
                line.startsWith("grpc.xds_client.resource_updates_valid ")
                    && line.contains("grpc.target=xds:///svc")
                    && line.contains("grpc.xds.resource_type=envoy.config.cluster.v3.Cluster"))
        .anyMatch(line -> line.startsWith("grpc.xds_client.connected "))
        .anyMatch(
            line ->
                line.startsWith("grpc.xds_client.resources ")
                    && line.contains("grpc.xds.cache_state=acked"));
  }
}
