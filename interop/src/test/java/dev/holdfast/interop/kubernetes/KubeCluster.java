// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes;

import static org.awaitility.Awaitility.await;

import dev.holdfast.interop.Leash;
import dev.holdfast.testkit.ReservedPorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A real etcd and kube-apiserver on loopback. There are no controllers: nobody makes EndpointSlices
 * for Services or pods for Deployments, and a deleted namespace stays Terminating.
 *
 * <p>The directory ({@code target/kube/...}: data, logs) stays for whoever looks into a failure;
 * the processes do not: they end with {@link #close}, and with this JVM even if that is killed.
 */
public final class KubeCluster implements AutoCloseable {
  /** Long enough for any machine; reached only when something is wrong. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final String ADMIN_TOKEN = "admin-token";
  private static final int TAIL = 15;
  private static final AtomicInteger STARTED = new AtomicInteger();

  private final Path binaries;
  private final Path directory;
  private final List<String> flags;
  private final int port = ReservedPorts.next();
  private final int etcdPort = ReservedPorts.next();
  private final int peerPort = ReservedPorts.next();
  private @Nullable Process etcd;
  private @Nullable Process server;
  private @Nullable KubeApi admin;

  private KubeCluster(Path binaries, Path directory, List<String> flags) {
    this.binaries = binaries;
    this.directory = directory;
    this.flags = flags;
  }

  /**
   * Starts both and waits until they serve; skips the test if there are none to be had.
   *
   * @param flags of kube-apiserver, such as {@code --min-request-timeout=10}
   */
  public static KubeCluster start(String... flags) {
    Path binaries = KubeBinaries.find();
    Path directory =
        Path.of("target", "kube", ProcessHandle.current().pid() + "-" + STARTED.incrementAndGet())
            .toAbsolutePath();
    KubeCluster cluster = new KubeCluster(binaries, directory, List.of(flags));
    try {
      Files.createDirectories(directory.resolve("certs"));
      Files.writeString(directory.resolve("sa.key"), newKey());
      Files.writeString(
          directory.resolve("tokens.csv"), ADMIN_TOKEN + ",admin,admin,\"system:masters\"\n");
      cluster.startEtcd();
      cluster.startApiServer();
      return cluster;
    } catch (IOException e) {
      cluster.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  /** Its address. */
  public URI url() {
    return URI.create("https://127.0.0.1:" + port);
  }

  /** The token of one who may do everything. */
  public String adminToken() {
    return ADMIN_TOKEN;
  }

  /** The certificate that clients have to trust. */
  public Path certificate() {
    return directory.resolve("certs/apiserver.crt");
  }

  /** The server as one who may do everything sees it. */
  public KubeApi admin() {
    KubeApi api = admin;
    if (api == null) {
      throw new IllegalStateException("the API server was never up");
    }
    return api;
  }

  /** A token of a ServiceAccount, signed by the server. */
  public String tokenOf(String namespace, String serviceAccount) {
    return admin()
        .post(
            "/api/v1/namespaces/%s/serviceaccounts/%s/token".formatted(namespace, serviceAccount),
            """
            {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
            """)
        .orFail("token of " + serviceAccount)
        .json()
        .getAsJsonObject("status")
        .get("token")
        .getAsString();
  }

  /** A kubeconfig for the holder of a token. */
  public Path kubeconfig(String token) {
    Path file = directory.resolve("kubeconfig-" + Integer.toHexString(token.hashCode()));
    try {
      return Files.writeString(
          file,
          """
          apiVersion: v1
          kind: Config
          clusters: [{name: test, cluster: {server: "%s", certificate-authority: "%s"}}]
          users: [{name: test, user: {token: "%s"}}]
          contexts: [{name: test, context: {cluster: test, user: test}}]
          current-context: test
          """
              .formatted(url(), certificate(), token));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The directory of {@code kubectl}, of the same version. */
  public Path programs() {
    return binaries;
  }

  /** Contour's CRDs, as it publishes them. */
  public String contourCrds() {
    try {
      return Files.readString(binaries.resolve("contour-crds.yaml"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts etcd and waits until it serves; with the data of before, if there was one. */
  public void startEtcd() {
    String client = "http://127.0.0.1:" + etcdPort;
    String peers = "http://127.0.0.1:" + peerPort;
    etcd =
        launch(
            "etcd",
            List.of(
                binaries.resolve("etcd").toString(),
                "--name=test",
                "--data-dir=" + directory.resolve("etcd"),
                // The data has to survive the process, not the machine.
                "--unsafe-no-fsync",
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peers,
                "--initial-advertise-peer-urls=" + peers,
                "--initial-cluster=test=" + peers));
    awaitAnswer("etcd", etcd, HttpClient.newHttpClient(), URI.create(client + "/health"));
  }

  /** Starts the API server and waits until it is ready; always on the same port. */
  public void startApiServer() {
    List<String> command =
        new ArrayList<>(
            List.of(
                binaries.resolve("kube-apiserver").toString(),
                "--etcd-servers=http://127.0.0.1:" + etcdPort,
                "--bind-address=127.0.0.1",
                "--advertise-address=127.0.0.1",
                "--secure-port=" + port,
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
    command.addAll(flags);
    server = launch("kube-apiserver", command);
    await("the certificate of kube-apiserver")
        .dontCatchUncaughtExceptions()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .failFast("kube-apiserver has ended: " + logTail("kube-apiserver"), () -> hasEnded(server))
        .until(() -> Files.exists(certificate()) && Files.size(certificate()) > 0);
    SSLContext tls = trust(certificate());
    admin = new KubeApi(url(), tls, ADMIN_TOKEN);
    awaitAnswer(
        "kube-apiserver",
        server,
        HttpClient.newBuilder().sslContext(tls).build(),
        url().resolve("/readyz"));
  }

  /** Ends etcd as a crash would. */
  public void killEtcd() {
    kill(etcd);
  }

  /** Ends the API server as a crash would. */
  public void killApiServer() {
    kill(server);
  }

  /** Ends both at once. */
  @Override
  public void close() {
    kill(server);
    kill(etcd);
  }

  private Process launch(String name, List<String> command) {
    try {
      return new ProcessBuilder(Leash.on(command))
          .directory(directory.toFile())
          .redirectErrorStream(true)
          .redirectOutput(Redirect.appendTo(directory.resolve(name + ".log").toFile()))
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void kill(@Nullable Process process) {
    if (process == null) {
      return;
    }
    process.destroyForcibly();
    try {
      process.getOutputStream().close();
      process.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean hasEnded(@Nullable Process process) {
    return process == null || !process.isAlive();
  }

  private void awaitAnswer(String name, @Nullable Process process, HttpClient client, URI uri) {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .timeout(Duration.ofSeconds(5))
            .header("Authorization", "Bearer " + ADMIN_TOKEN)
            .build();
    try {
      await(name + " to be ready")
          .dontCatchUncaughtExceptions()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .failFast(name + " has ended", () -> hasEnded(process))
          .ignoreExceptionsInstanceOf(IOException.class)
          .until(() -> client.send(request, BodyHandlers.discarding()).statusCode() == 200);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(name + " did not start\n" + logTail(name), e);
    }
  }

  /** The end of the log of {@code etcd} or {@code kube-apiserver}, for error texts. */
  private String logTail(String name) {
    Path log = directory.resolve(name + ".log");
    try {
      List<String> lines = Files.exists(log) ? Files.readAllLines(log) : List.of();
      return log
          + ":\n"
          + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static SSLContext trust(Path certificates) {
    try (InputStream in = Files.newInputStream(certificates)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int count = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("server-" + count++, each);
      }
      TrustManagerFactory managers =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
