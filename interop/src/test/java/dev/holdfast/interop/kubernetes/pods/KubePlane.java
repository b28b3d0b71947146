// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.kubernetes.pods;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.controlplane.brake.BrakeOptions;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import dev.holdfast.interop.envoy.Backend;
import dev.holdfast.interop.kubernetes.KubeCluster;
import dev.holdfast.interop.serve.Plane;
import dev.holdfast.kubernetes.status.PublicAddress;
import dev.holdfast.server.ControlPlaneFactory;
import dev.holdfast.server.Daemon;
import dev.holdfast.server.options.ListenAddress;
import dev.holdfast.server.options.ServeLimits;
import dev.holdfast.server.options.ServeOptions;
import dev.holdfast.server.options.SourceOptions;
import dev.holdfast.server.options.StartException;
import dev.holdfast.server.options.StateOptions;
import dev.holdfast.testkit.ReservedPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A control plane whose objects are in a cluster, and what authors see there. */
final class KubePlane implements AutoCloseable {
  private static final String POD = "10.244.0.1";
  private static final String PROXIES =
      "/apis/projectcontour.io/v1/namespaces/default/httpproxies/";

  private final KubeCluster cluster;
  private final Path state;
  private final HttpClient http = HttpClient.newHttpClient();
  private @Nullable Daemon daemon;
  private int xdsPort = ReservedPorts.next(); // to come back to, or for others

  private KubePlane(KubeCluster cluster, Path state) {
    this.cluster = cluster;
    this.state = state;
  }

  /**
   * Starts a cluster with Contour's kinds and a control plane; skips the test without addresses.
   */
  static KubePlane start(String... flags) {
    needAddress();
    KubeCluster cluster = KubeCluster.start(flags);
    try {
      cluster.admin().apply(cluster.contourCrds());
      KubePlane plane =
          new KubePlane(cluster, Files.createTempDirectory("holdfast-kube").resolve("state.db"));
      plane.up();
      return plane;
    } catch (IOException e) {
      cluster.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  private static void needAddress() {
    boolean isThere;
    try {
      isThere = NetworkInterface.getByInetAddress(pod()) != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (!isThere) {
      String line =
          "no address of a pod: these tests need a network namespace (unshare -rn and ip)";
      if (System.getenv().getOrDefault("HOLDFAST_REQUIRE", "").contains("kube")) {
        Assertions.fail(line);
      }
      Assumptions.abort(line);
    }
  }

  static InetAddress pod() {
    try {
      return InetAddress.getByName(POD);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // The control plane.

  void up() {
    ListenAddress any = new ListenAddress("127.0.0.1", 0);
    try {
      daemon =
          Daemon.start(
              new ServeOptions(
                  new SourceOptions.Cluster(
                      List.of(cluster.kubeconfig(cluster.adminToken())),
                      null,
                      new TreeSet<>(),
                      PublicAddress.parse("service:default/edge")),
                  new StateOptions.InFile(state),
                  new ListenAddress("127.0.0.1", xdsPort),
                  new ServeOptions.Admin(any, ""),
                  new ServeOptions.Listeners(
                      any, new ListenAddress("0.0.0.0", 0), ServeOptions.DEFAULT_INGRESS_CLASS),
                  DisagreementPolicy.UNIFORM,
                  BrakeOptions.defaults(),
                  ServeLimits.defaults()),
              ControlPlaneFactory.embedded(),
              "test",
              new CountDownLatch(1));
      xdsPort = daemon.xds().address().port();
    } catch (StartException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  void down() {
    if (daemon != null) {
      daemon.close();
      daemon = null;
    }
  }

  int xdsPort() {
    return xdsPort;
  }

  KubeCluster cluster() {
    return cluster;
  }

  String adminText(String path) {
    if (daemon == null) {
      throw new IllegalStateException("the control plane is down");
    }
    URI uri = URI.create("http://127.0.0.1:" + daemon.admin().address().port() + path);
    try {
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  JsonArray adminItems(String path) {
    return JsonParser.parseString(adminText(path)).getAsJsonObject().getAsJsonArray("items");
  }

  // Authors.

  void apply(String manifests) {
    cluster.admin().apply(manifests);
  }

  /** A Service and the slice of its only pod, a backend. */
  static String service(String name, Backend backend) {
    return """
        apiVersion: v1
        kind: Service
        metadata: {name: %s, namespace: default}
        spec: {ports: [{name: http, port: 80}]}
        ---
        apiVersion: discovery.k8s.io/v1
        kind: EndpointSlice
        metadata: {name: %s-1, namespace: default, labels: {kubernetes.io/service-name: %s}}
        addressType: IPv4
        endpoints: [{addresses: [%s], conditions: {ready: true}}]
        ports: [{name: http, port: %d, protocol: TCP}]
        """
        .formatted(name, name, name, POD, backend.port());
  }

  static String fqdn(String name) {
    return name + ".example.com";
  }

  static String proxy(String name, String routes) {
    return """
        apiVersion: projectcontour.io/v1
        kind: HTTPProxy
        metadata: {name: %s, namespace: default}
        spec:
          virtualhost: {fqdn: %s}
          routes: %s
        """
        .formatted(name, fqdn(name), routes);
  }

  static String proxyTo(String name, String service) {
    return proxy(name, "[{services: [{name: %s, port: 80}]}]".formatted(service));
  }

  // What authors see.

  JsonObject proxyStatus(String name) {
    JsonObject object = cluster.admin().get(PROXIES + name).orFail(name).json();
    return object.has("status") ? object.getAsJsonObject("status") : new JsonObject();
  }

  /** A condition in the cluster; an empty object if it is not there. */
  JsonObject condition(String name, String type) {
    JsonObject status = proxyStatus(name);
    if (status.has("conditions")) {
      for (JsonElement each : status.getAsJsonArray("conditions")) {
        if (each.getAsJsonObject().get("type").getAsString().equals(type)) {
          return each.getAsJsonObject();
        }
      }
    }
    return new JsonObject();
  }

  /** Waits until the cluster says this of an object. */
  JsonObject awaitCondition(String name, String type, String reason, long generation) {
    Plane.await(
        name + " " + type + " " + reason + " " + generation,
        () -> {
          JsonObject said = condition(name, type);
          return said.has("reason")
              && said.get("reason").getAsString().equals(reason)
              && said.get("observedGeneration").getAsLong() == generation;
        });
    return condition(name, type);
  }

  void awaitProgrammed(String name, long generation) {
    awaitCondition(name, "Programmed", "Programmed", generation);
  }

  @Override
  public void close() {
    down();
    cluster.close();
  }
}
