// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Loop;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** A dependency manager for {@code svc}, what it watches, and what came of it. One thread. */
final class Dependent implements AutoCloseable {
  final FakeXds xds = new FakeXds();
  final FakeHosts hosts = new FakeHosts();
  final ManualExecutor executor = new ManualExecutor();
  final DependencyManager manager;
  private final Loop loop;
  private final List<StatusOr<XdsConfig>> told = new ArrayList<>();
  private final AtomicReference<Throwable> uncaught = new AtomicReference<>();
  private int read;

  Dependent() {
    loop = new Loop(executor, uncaught::set);
    manager =
        DependencyManager.start(
            new DependencyManager.Sources(xds, new XdsTypes(), hosts, "node-1"),
            new DependencyManager.Target("svc", "svc"),
            loop,
            told::add);
    settle();
  }

  void settle() {
    executor.runAll();
    if (uncaught.get() != null) {
      throw new AssertionError("somebody threw", uncaught.get());
    }
  }

  /** Does things in one turn of the loop. */
  void inOneTurn(Runnable things) {
    things.run();
    settle();
  }

  Dependent listener(String routeName) {
    xds.send("LDS", "svc", Resources.apiListener("svc", routeName));
    settle();
    return this;
  }

  Dependent routes(RouteConfiguration routes) {
    xds.send("RDS", routes.getName(), routes);
    settle();
    return this;
  }

  Dependent cluster(Cluster cluster) {
    xds.send("CDS", cluster.getName(), cluster);
    settle();
    return this;
  }

  Dependent endpoints(String name, int... ports) {
    xds.send("EDS", name, Resources.endpoints(name, ports));
    settle();
    return this;
  }

  Dependent fail(String type, String name, Status.Code code, String text) {
    xds.fail(type, name, code, text);
    settle();
    return this;
  }

  Dependent ambient(String type, String name, Status.Code code, String text) {
    xds.ambient(type, name, code, text);
    settle();
    return this;
  }

  /** A listener, routes to one cluster {@code c}, and its endpoints on port 1. */
  static Dependent withOneCluster() {
    Dependent dependent = new Dependent();
    dependent.listener("r").routes(Resources.routesTo("r", "c"));
    dependent.cluster(Resources.edsCluster("c")).endpoints("c", 1);
    return dependent;
  }

  Subscription subscribe(String cluster) {
    CompletableFuture<Subscription> subscription = new CompletableFuture<>();
    loop.execute(() -> subscription.complete(manager.subscribe(cluster)));
    settle();
    return subscription.join();
  }

  /** The next configuration that was not read yet. */
  XdsConfig next() {
    StatusOr<XdsConfig> next = nextTold();
    assertThat(next.getStatus()).isEqualTo(Status.OK);
    return next.getValue();
  }

  /** The next error that was not read yet. */
  Status nextError() {
    StatusOr<XdsConfig> next = nextTold();
    assertThat(next.hasValue()).as("a configuration, not an error: %s", next).isFalse();
    return next.getStatus();
  }

  private StatusOr<XdsConfig> nextTold() {
    assertThat(told).as("told so far").hasSizeGreaterThan(read);
    return told.get(read++);
  }

  void nothing() {
    assertThat(told.subList(read, told.size())).isEmpty();
  }

  static ClusterConfig config(XdsConfig config, String cluster) {
    StatusOr<ClusterConfig> answer = config.clusters().get(cluster);
    assertThat(answer).as("cluster %s of %s", cluster, config.clusters().keySet()).isNotNull();
    assertThat(answer.getStatus()).isEqualTo(Status.OK);
    return answer.getValue();
  }

  static Status error(XdsConfig config, String cluster) {
    StatusOr<ClusterConfig> answer = config.clusters().get(cluster);
    assertThat(answer).as("cluster %s of %s", cluster, config.clusters().keySet()).isNotNull();
    assertThat(answer.hasValue()).isFalse();
    return answer.getStatus();
  }

  static StatusOr<ClusterLoadAssignment> assignment(XdsConfig config, String cluster) {
    return ((ClusterConfig.Endpoints) config(config, cluster).members()).assignment();
  }

  /** The ports of a cluster's endpoints, as text. */
  static String ports(XdsConfig config, String cluster) {
    List<String> ports = new ArrayList<>();
    assignment(config, cluster)
        .getValue()
        .localities()
        .forEach(
            locality ->
                locality
                    .endpoints()
                    .forEach(
                        endpoint ->
                            endpoint
                                .addresses()
                                .forEach(address -> ports.add("" + address.getPort()))));
    return String.join(",", ports);
  }

  static List<String> leaves(XdsConfig config, String cluster) {
    return ((ClusterConfig.Aggregate) config(config, cluster).members()).leaves();
  }

  static Cluster aggregate(String name, String... clusters) {
    return Resources.cluster(
        """
        {
          "name": "%s", "lb_policy": "CLUSTER_PROVIDED",
          "cluster_type": {"name": "envoy.clusters.aggregate", "typed_config": {
            "@type": "type.googleapis.com/envoy.extensions.clusters.aggregate.v3.ClusterConfig",
            "clusters": ["%s"]
          }}
        }
        """
            .formatted(name, String.join("\", \"", clusters)));
  }

  static Cluster dns(String name, String host, int port) {
    return Resources.cluster(
        """
        {
          "name": "%s", "type": "LOGICAL_DNS", "lb_policy": "ROUND_ROBIN",
          "load_assignment": {"cluster_name": "x", "endpoints": [{"lb_endpoints": [{"endpoint": {
            "address": {"socket_address": {"address": "%s", "port_value": %d}}}}]}]}
        }
        """
            .formatted(name, host, port));
  }

  /** Routes that send {@code /a/} to the first cluster, and so on. */
  static RouteConfiguration routesTo(String name, String... clusters) {
    StringBuilder routes = new StringBuilder();
    for (String cluster : clusters) {
      routes
          .append(routes.isEmpty() ? "" : ", ")
          .append(
              """
              {"match": {"prefix": "/%s/"}, "route": {"cluster": "%s"}}"""
                  .formatted(cluster, cluster));
    }
    return Resources.routeConfiguration(
        """
        {"name": "%s", "virtual_hosts": [{"name": "all", "domains": ["*"], "routes": [%s]}]}"""
            .formatted(name, routes));
  }

  @Override
  public void close() {
    manager.close();
    settle();
    assertThat(xds.watched()).as("watches left over").isEmpty();
    assertThat(hosts.open()).as("lookups left over").isEmpty();
  }
}
