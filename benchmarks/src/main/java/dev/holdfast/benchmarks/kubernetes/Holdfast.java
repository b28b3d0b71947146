// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Holdfast with the settings of its manifests, and with one namespace to read. The JVM has the
 * memory that the pod would have.
 */
final class Holdfast implements ControlPlane {
  /** What a JVM chooses in a container with the limit of the manifests, 1 GiB. */
  private static final String JAVA_OPTIONS =
      "-XX:MaxRAMPercentage=70 -XX:MaxRAM=1g -XX:+UseSerialGC";

  private static final String HOME = "holdfast";

  private final Path launcher;
  private final Path manifests;
  private String state = "";

  Holdfast(Path launcher, Path manifests) {
    this.launcher = launcher;
    this.manifests = manifests;
  }

  /** From the next start on, there is no state of earlier ones. */
  void forget(String newState) {
    state = newState;
  }

  @Override
  public String name() {
    return "holdfast";
  }

  @Override
  public String namespace() {
    return "holdfast-hosts";
  }

  @Override
  public int xdsPort() {
    return 18000;
  }

  @Override
  public int httpPort() {
    return 18080;
  }

  @Override
  public void install(Cluster cluster) {
    cluster.installKinds(manifests.resolve("crds/extensionpolicy.yaml"));
    Objects.createNamespace(cluster.api(), HOME);
  }

  @Override
  public Child start(Path directory, Cluster cluster, boolean fast) {
    return Child.start(
        directory,
        name(),
        Map.of("HOLDFAST_JAVA_OPTS", JAVA_OPTIONS),
        List.of(
            launcher.toString(),
            "serve",
            "--kubernetes",
            "--kubeconfig=" + cluster.kubeconfig(),
            "--state=kubernetes:" + HOME + "/" + state,
            "--xds-address=127.0.0.1:" + xdsPort(),
            "--admin-address=127.0.0.1:19000",
            "--http-address=127.0.0.1:" + httpPort(),
            "--https-address=127.0.0.1:18443",
            "--namespace=" + namespace()));
  }

  @Override
  public Path bootstrap(Path directory) {
    String text =
        Tool.run(
            directory,
            List.of(
                launcher.toString(),
                "bootstrap",
                "envoy",
                "--xds-address=127.0.0.1:" + xdsPort(),
                "--node=edge-1",
                "--cluster=edge"));
    try {
      return Files.writeString(directory.resolve("holdfast-envoy.yaml"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String statusMark() {
    return "\"type\":\"Programmed\"";
  }
}
