// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Contour with the settings of its published manifests, but for TLS between it and Envoy, and with
 * one namespace to read.
 */
final class Contour implements ControlPlane {
  private static final String HOME = "projectcontour";

  private final Path program;
  private final Path crds;

  Contour(Path program, Path crds) {
    this.program = program;
    this.crds = crds;
  }

  @Override
  public String name() {
    return "contour";
  }

  @Override
  public String namespace() {
    return "contour-hosts";
  }

  @Override
  public int xdsPort() {
    return 8001;
  }

  @Override
  public int httpPort() {
    return 28080;
  }

  @Override
  public void install(Cluster cluster) {
    cluster.installKinds(crds);
    Objects.createNamespace(cluster.api(), HOME);
  }

  @Override
  public Child start(Path directory, Cluster cluster, boolean fast) {
    Path config = directory.resolve("contour.yaml");
    try {
      Files.writeString(config, "accesslog-format: envoy\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(),
                "serve",
                "--kubeconfig=" + cluster.kubeconfig(),
                "--config-path=" + config,
                "--insecure",
                "--xds-address=127.0.0.1",
                "--xds-port=" + xdsPort(),
                "--envoy-service-http-port=" + httpPort(),
                "--envoy-service-https-port=28443",
                "--watch-namespaces=" + namespace()));
    if (fast) {
      command.addAll(List.of("--kubernetes-client-qps=200", "--kubernetes-client-burst=400"));
    }
    return Child.start(
        directory, name(), Map.of("CONTOUR_NAMESPACE", HOME, "POD_NAME", "contour-1"), command);
  }

  @Override
  public Path bootstrap(Path directory) {
    Path file = directory.resolve("contour-envoy.json");
    Tool.run(
        directory,
        List.of(
            program.toString(),
            "bootstrap",
            file.toString(),
            "--xds-address=127.0.0.1",
            "--xds-port=" + xdsPort(),
            "--admin-address=" + directory.resolve("contour-envoy-admin.sock")));
    return file;
  }

  @Override
  public String statusMark() {
    return "\"currentStatus\":\"valid\"";
  }
}
