// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.grpc.config.ClusterConfig;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.testkit.ManualTime;
import dev.holdfast.xds.client.ResourceStatus;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import dev.holdfast.xds.client.XdsClientConfig;
import dev.holdfast.xds.client.transport.AdsProtocol;
import dev.holdfast.xds.client.transport.XdsTransport;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.grpc.StatusOr;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An application that has our client and calls some hosts. */
final class App implements Peer {
  private static final String SERVER = "control-plane";

  private final XdsClientConfig config;
  private final List<String> hosts;
  private final ManualTime time;
  private final Consumer<Link> opened;
  private AppProcess process;
  private int processes = 1;
  private @Nullable Link link;
  private int links;
  private boolean hanging;

  /**
   * @param failFast whether it lets go of what is deleted (gRFC A88) instead of using it on
   */
  App(
      String id,
      boolean delta,
      boolean failFast,
      List<String> hosts,
      ManualTime time,
      Consumer<Link> opened) {
    this.hosts = List.copyOf(hosts);
    this.time = time;
    this.opened = opened;
    config =
        XdsClientConfig.builder()
            .node(Node.newBuilder().setId(id).setUserAgentName("holdfast").build())
            .servers(
                failFast
                    ? ServerConfig.insecure(SERVER, ServerFeature.FAIL_ON_DATA_ERRORS)
                    : ServerConfig.insecure(SERVER))
            .protocol(delta ? AdsProtocol.DELTA : AdsProtocol.SOTW)
            .build();
    process = new AppProcess(config, this.hosts, time, (server, health) -> new Wire());
  }

  @Override
  public String id() {
    return config.node().getId();
  }

  @Override
  public int process() {
    return processes;
  }

  boolean isDelta() {
    return config.protocol() == AdsProtocol.DELTA;
  }

  List<String> hosts() {
    return hosts;
  }

  /** The stream that it opened last. */
  @Nullable Link link() {
    return link;
  }

  boolean hasTurn() {
    return !hanging && process.hasTurn();
  }

  void turn() {
    process.turn();
    process.check();
  }

  void hang() {
    hanging = true;
  }

  void wake() {
    hanging = false;
  }

  void restart() {
    end();
    processes++;
    hanging = false;
    process = new AppProcess(config, hosts, time, (server, health) -> new Wire());
  }

  void end() {
    process.end();
    process.check();
  }

  List<ResourceStatus> dump() {
    return process.dump();
  }

  /**
   * Whether calls to a host have somewhere to go, whichever of its routes they take. Routes that an
   * application cannot use lead to a cluster that never exists.
   */
  boolean has(String host) {
    StatusOr<XdsConfig> told = process.told(host);
    return told != null
        && told.hasValue()
        && told.getValue().clusters().entrySet().stream()
            .allMatch(
                cluster ->
                    cluster.getKey().startsWith("unavailable/") || isUsable(cluster.getValue()));
  }

  private static boolean isUsable(StatusOr<ClusterConfig> cluster) {
    return cluster.hasValue()
        && (!(cluster.getValue().members() instanceof ClusterConfig.Endpoints endpoints)
            || endpoints.assignment().hasValue());
  }

  /** Whether something that a host needs was asked for, and no answer came from the server. */
  boolean hasLostTouch(String host) {
    return isOfLostTouch(answer(host));
  }

  /** Whether an error is of the client's own making: the server is away, or says nothing. */
  static boolean isOfLostTouch(String text) {
    return text.contains(SERVER + ": ") || text.contains(SERVER + " did not send it");
  }

  /** What it makes of a host, for people. */
  String answer(String host) {
    StatusOr<XdsConfig> told = process.told(host);
    return told == null
        ? "nothing yet"
        : told.hasValue() ? told.getValue().clusters().toString() : told.getStatus().toString();
  }

  /** Whether it was told anything of a host. */
  boolean isTold(String host) {
    return process.told(host) != null;
  }

  @Override
  public String toString() {
    return id() + "(" + (isDelta() ? "delta" : "sotw") + ")#" + processes;
  }

  /** Its way to the control plane. */
  private final class Wire implements XdsTransport {
    @Override
    public Stream open(AdsProtocol protocol, StreamListener listener) {
      return new AppStream(
          listener,
          client -> {
            Link next = new Link(App.this, ++links, protocol == AdsProtocol.DELTA, client, time);
            link = next;
            opened.accept(next);
            return next;
          });
    }

    @Override
    public void close() {}
  }
}
