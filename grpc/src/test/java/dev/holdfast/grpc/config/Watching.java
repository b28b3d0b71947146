// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.holdfast.base.Env;
import dev.holdfast.base.Loop;
import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.XdsClientObserver;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The engine and a dependency manager for {@code svc}, on one thread and a clock that is moved by
 * hand. The server has, unless told otherwise, routes to the clusters {@code c} and {@code d}.
 */
final class Watching implements AutoCloseable {
  static final String SERVER = "xds.example:443";

  final ScriptedServer server = new ScriptedServer();
  private final ManualExecutor executor = new ManualExecutor();
  private final ManualTime time = new ManualTime();
  private final List<StatusOr<XdsConfig>> told = new ArrayList<>();
  private final List<Throwable> uncaught = new ArrayList<>();
  private final XdsClient client;
  private final DependencyManager manager;

  Watching(Script script, ServerFeature... features) {
    put(Resources.apiListener("svc", "r"), "svc");
    put(Dependent.routesTo("r", "c", "d"), "r");
    for (String cluster : List.of("c", "d")) {
      put(Resources.edsCluster(cluster), cluster);
      put(Resources.endpoints(cluster, 1), cluster);
    }
    script.prepare(server);
    client =
        XdsClient.create(
            XdsClientConfig.builder()
                .nodeId("node-1")
                .servers(ServerConfig.insecure(SERVER, features))
                .build(),
            server,
            new Env(executor, time, new SplittableRandom(1)),
            new XdsClientObserver() {
              @Override
              public void uncaught(Throwable e) {
                uncaught.add(e);
              }
            });
    manager =
        DependencyManager.start(
            new DependencyManager.Sources(client, new XdsTypes(), new FakeHosts(), "node-1"),
            new DependencyManager.Target("svc", "svc"),
            new Loop(executor, uncaught::add),
            told::add);
    settle();
  }

  interface Script {
    void prepare(ScriptedServer server);
  }

  private void put(Message resource, String name) {
    server.put(name, resource);
  }

  void settle() {
    executor.runAll();
    assertThat(uncaught).isEmpty();
  }

  void advance(int seconds) {
    time.advance(Duration.ofSeconds(seconds), this::settle);
  }

  boolean toldAnything() {
    return !told.isEmpty();
  }

  StatusOr<XdsConfig> last() {
    assertThat(told).as("nothing was told yet").isNotEmpty();
    return told.get(told.size() - 1);
  }

  XdsConfig config() {
    assertThat(last().getStatus()).isEqualTo(Status.OK);
    return last().getValue();
  }

  @Override
  public void close() {
    manager.close();
    client.close();
    executor.runAll();
    assertThat(time.pending()).as("timers left over").isEmpty();
  }
}
