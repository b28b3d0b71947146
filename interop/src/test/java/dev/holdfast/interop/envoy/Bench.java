// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.envoy;

import dev.holdfast.testkit.FakeAdsServer;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.testkit.envoy.EnvoyOptions;
import dev.holdfast.testkit.envoy.EnvoyResources;
import dev.holdfast.testkit.envoy.FakeEnvoy;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.grpc.Status;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** A proxy, two backends and a server that says what the scenario tells it to. */
final class Bench implements AutoCloseable {
  /** A cluster that every proxy has from the start. */
  static final String STATIC = "xds_cluster";

  /** Every scenario is true of all of these. */
  enum Kind {
    FAKE_SOTW,
    FAKE_DELTA,
    REAL_SOTW,
    REAL_DELTA;

    boolean isDelta() {
      return this == FAKE_DELTA || this == REAL_DELTA;
    }
  }

  final boolean delta;
  final Backend one = Backend.start("one");
  final Backend two = Backend.start("two");
  final FakeAdsServer ads = FakeAdsServer.start();
  final Proxy proxy;
  Script script;

  private Bench(Kind kind) {
    delta = kind.isDelta();
    proxy =
        switch (kind) {
          case FAKE_SOTW -> fake(EnvoyOptions.sotw("hf-node-1"));
          case FAKE_DELTA -> fake(EnvoyOptions.delta("hf-node-1"));
          case REAL_SOTW -> real(EnvoyBootstrap.sotw(ads.port()));
          case REAL_DELTA -> real(EnvoyBootstrap.delta(ads.port()));
        };
    script = Script.next(ads, delta);
    script.awaitSubscription(TypeUrls.CLUSTER);
  }

  static Bench start(Kind kind) {
    return new Bench(kind);
  }

  private Proxy fake(EnvoyOptions options) {
    return new Proxy.Fake(
        FakeEnvoy.start(
            options
                .withStaticNames(Set.of(STATIC))
                .withTimes(Duration.ofSeconds(5), Duration.ofMillis(50)),
            ads.port()),
        Map.of("127.0.0.1:" + one.port(), "one", "127.0.0.1:" + two.port(), "two"));
  }

  private Proxy real(EnvoyBootstrap bootstrap) {
    try {
      return new Proxy.Real(EnvoyProcess.start(bootstrap));
    } catch (RuntimeException | Error e) { // skipped, if there is no Envoy
      closeAround();
      throw e;
    }
  }

  /** A cluster for each backend, ready to be used. */
  Cluster clusterOne() {
    return EnvoyResources.staticCluster("one", one.port());
  }

  Cluster clusterTwo() {
    return EnvoyResources.staticCluster("two", two.port());
  }

  /** Gives it both clusters, so that it asks for listeners. */
  void bootClusters() {
    script.push(clusterOne(), clusterTwo()).acked();
    script.awaitSubscription(TypeUrls.LISTENER);
  }

  /** And a listener {@code ingress} with {@code routes} that send {@code one.example} to one. */
  void boot() {
    bootClusters();
    script.push(EnvoyResources.listener("ingress", "routes")).acked();
    script.awaitSubscription(TypeUrls.ROUTE_CONFIGURATION, "routes");
    script.push(EnvoyResources.routes("routes", EnvoyResources.host("one.example", "one"))).acked();
    proxy.awaitReady();
  }

  /** Serves {@code one.example} from a cluster {@code eds} whose endpoint is backend one. */
  void bootEds() {
    boot();
    script.push(EnvoyResources.edsCluster("eds"));
    script.awaitSubscription(TypeUrls.CLUSTER_LOAD_ASSIGNMENT, "eds");
    script.push(Resources.endpoints("eds", one.port())).acked();
    script.push(EnvoyResources.routes("routes", EnvoyResources.host("one.example", "eds"))).acked();
    proxy.awaitSeen("ingress", "one.example", Proxy.Seen.from("one"));
  }

  /** How often a type was asked for or answered on this stream. */
  long asks(String type) {
    return script.asks().stream().filter(ask -> ask.type().equals(type)).count();
  }

  /** Breaks the stream; the proxy opens another. */
  void reconnect() {
    script.close(Status.UNAVAILABLE);
    script = Script.next(ads, delta);
  }

  @Override
  public void close() {
    proxy.close();
    closeAround();
  }

  private void closeAround() {
    ads.close();
    one.close();
    two.close();
  }
}
