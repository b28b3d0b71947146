// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.kubernetes;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A real etcd and kube-apiserver, without controllers. Ports are fixed: the network namespace has
 * nobody else.
 */
final class Cluster implements AutoCloseable {
  private static final String TOKEN = "admin-token";
  private static final String URL = "https://127.0.0.1:6443";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Path directory;
  private final Child etcd;
  private final Child server;
  private final Api api;

  /** Starts both, and waits until they serve. */
  Cluster(Path kube, Path directory) {
    this.directory = directory;
    try {
      Files.createDirectories(directory.resolve("certs"));
      Files.writeString(directory.resolve("sa.key"), newKey());
      Files.writeString(
          directory.resolve("tokens.csv"), TOKEN + ",admin,admin,\"system:masters\"\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    etcd =
        Child.start(
            directory,
            "etcd",
            Map.of(),
            List.of(
                kube.resolve("etcd").toString(),
                "--data-dir=" + directory.resolve("etcd"),
                // The speed of the disk is not what is compared.
                "--unsafe-no-fsync",
                "--listen-client-urls=http://127.0.0.1:2379",
                "--advertise-client-urls=http://127.0.0.1:2379",
                "--listen-peer-urls=http://127.0.0.1:2380"));
    server =
        Child.start(
            directory,
            "kube-apiserver",
            Map.of(),
            List.of(
                kube.resolve("kube-apiserver").toString(),
                "--etcd-servers=http://127.0.0.1:2379",
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=6443",
                "--cert-dir=" + directory.resolve("certs"),
                "--service-cluster-ip-range=10.96.0.0/16",
                // EndpointSlices refuse addresses of loopback, so it could not announce itself.
                "--endpoint-reconciler-type=none",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + directory.resolve("sa.key"),
                "--service-account-signing-key-file=" + directory.resolve("sa.key"),
                "--token-auth-file=" + directory.resolve("tokens.csv"),
                "--authorization-mode=RBAC",
                // Nobody makes the ServiceAccounts that it would ask for.
                "--disable-admission-plugins=ServiceAccount",
                "--profiling=false"));
    Path certificate = directory.resolve("certs/apiserver.crt");
    Patience.await(
        "the certificate of kube-apiserver",
        PATIENCE,
        server,
        () -> Files.exists(certificate) && certificate.toFile().length() > 0);
    api = new Api(URI.create(URL), certificate, TOKEN);
    Patience.await("kube-apiserver", PATIENCE, server, () -> api.isThere("/readyz"));
  }

  Api api() {
    return api;
  }

  /** Installs the kinds of a file, and waits until they are served. */
  void installKinds(Path file) {
    String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
    for (String crd : read(file).split("\n---\n", -1)) {
      String name =
          crd.lines()
              .filter(line -> line.startsWith("  name: "))
              .map(line -> line.substring("  name: ".length()).strip())
              .findFirst()
              .orElse("");
      if (!name.isEmpty()) {
        api.apply(path + name, crd);
        Patience.await(name, PATIENCE, server, () -> isEstablished(api.get(path + name)));
      }
    }
  }

  private static boolean isEstablished(String crd) {
    JsonObject json = JsonParser.parseString(crd).getAsJsonObject();
    if (json.get("status") instanceof JsonObject status
        && status.get("conditions") instanceof JsonArray conditions) {
      for (JsonElement each : conditions) {
        JsonObject condition = each.getAsJsonObject();
        if (condition.get("type").getAsString().equals("Established")) {
          return condition.get("status").getAsString().equals("True");
        }
      }
    }
    return false;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path kubeconfig() {
    try {
      return Files.writeString(
          directory.resolve("kubeconfig"),
          """
          apiVersion: v1
          kind: Config
          clusters: [{name: test, cluster: {server: "%s", certificate-authority: "%s"}}]
          users: [{name: test, user: {token: "%s"}}]
          contexts: [{name: test, context: {cluster: test, user: test}}]
          current-context: test
          """
              .formatted(URL, directory.resolve("certs/apiserver.crt"), TOKEN));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    server.close();
    etcd.close();
  }

  private static String newKey() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return "-----BEGIN PRIVATE KEY-----\n"
          + Base64.getMimeEncoder(64, new byte[] {'\n'})
              .encodeToString(generator.generateKeyPair().getPrivate().getEncoded())
          + "\n-----END PRIVATE KEY-----\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
