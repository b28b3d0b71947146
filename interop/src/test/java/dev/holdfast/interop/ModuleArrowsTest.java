// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop;

import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;

/** Upper modules may use lower ones, never the reverse; the picture is in ARCHITECTURE.md. */
class ModuleArrowsTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.holdfast");

  @Test
  void upperModulesUseLowerOnesNeverTheReverse() {
    layeredArchitecture()
        .consideringOnlyDependenciesInLayers()
        .withOptionalLayers(true)
        .layer("base")
        .definedBy("dev.holdfast.base..")
        .layer("config-model")
        .definedBy("dev.holdfast.config")
        .layer("config-files")
        .definedBy("dev.holdfast.config.files..")
        .layer("store-etcd")
        .definedBy("dev.holdfast.store.etcd..")
        .layer("store-sqlite")
        .definedBy("dev.holdfast.store.sqlite..")
        .layer("kubernetes")
        .definedBy("dev.holdfast.kubernetes..")
        .layer("envoy-api")
        .definedBy("dev.holdfast.envoy.api..")
        .layer("control-plane")
        .definedBy("dev.holdfast.controlplane..")
        .layer("xds-client")
        .definedBy("dev.holdfast.xds.client..")
        .layer("xds-resources")
        .definedBy("dev.holdfast.xds.resources..")
        .layer("grpc")
        .definedBy("dev.holdfast.grpc..")
        .layer("server")
        .definedBy("dev.holdfast.server..")
        .layer("demo")
        .definedBy("dev.holdfast.demo..")
        .layer("cli")
        .definedBy("dev.holdfast.cli..")
        .whereLayer("cli")
        .mayNotBeAccessedByAnyLayer()
        .whereLayer("server")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("demo")
        .mayOnlyBeAccessedByLayers("cli")
        .whereLayer("grpc")
        .mayOnlyBeAccessedByLayers("cli", "demo")
        .whereLayer("xds-resources")
        .mayOnlyBeAccessedByLayers("grpc", "cli")
        .whereLayer("xds-client")
        .mayOnlyBeAccessedByLayers("grpc", "cli", "demo")
        .whereLayer("control-plane")
        .mayOnlyBeAccessedByLayers("server", "cli")
        .whereLayer("config-files")
        .mayOnlyBeAccessedByLayers("kubernetes", "server", "cli")
        .whereLayer("kubernetes")
        .mayOnlyBeAccessedByLayers("server")
        .whereLayer("store-etcd")
        .mayOnlyBeAccessedByLayers("server")
        .whereLayer("store-sqlite")
        .mayOnlyBeAccessedByLayers("server")
        .whereLayer("envoy-api")
        .mayOnlyBeAccessedByLayers("control-plane")
        .whereLayer("config-model")
        .mayOnlyBeAccessedByLayers(
            "config-files",
            "store-etcd",
            "store-sqlite",
            "kubernetes",
            "envoy-api",
            "control-plane",
            "server",
            "cli")
        .check(CLASSES);
  }

  @Test
  void theEngineKnowsOfGrpcOnlyStatus() {
    ArchRuleDefinition.classes()
        .that()
        .resideInAPackage("dev.holdfast.xds.client..")
        .should()
        .onlyDependOnClassesThat(
            com.tngtech.archunit.base.DescribedPredicate.describe(
                "are not gRPC, but for Status and StatusOr",
                type ->
                    !type.getPackageName().startsWith("io.grpc")
                        || type.getName().startsWith("io.grpc.Status")))
        .check(CLASSES);
  }

  @Test
  void theConfigModelUsesNothingButTheJdkAndBase() {
    ArchRuleDefinition.classes()
        .that()
        .resideInAPackage("dev.holdfast.config")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..", "dev.holdfast.config", "dev.holdfast.base..", "org.jspecify.annotations..")
        .check(CLASSES);
  }

  @Test
  void baseUsesNothingButTheJdk() {
    ArchRuleDefinition.classes()
        .that()
        .resideInAPackage("dev.holdfast.base..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..",
            "javax.net.ssl..",
            "javax.security.auth..",
            "dev.holdfast.base..",
            "org.jspecify.annotations..")
        .check(CLASSES);
  }

  @Test
  void theCommandsThatAskAServerStartWithoutGrpcAndProtobuf() {
    ArchRuleDefinition.noClasses()
        .that()
        .resideInAnyPackage("dev.holdfast.cli.admin..", "dev.holdfast.cli.bootstrap..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.grpc..",
            "com.google.protobuf..",
            "io.envoyproxy..",
            "dev.holdfast.controlplane..",
            "dev.holdfast.grpc..",
            "java.net.http..")
        .check(CLASSES);
  }
}
