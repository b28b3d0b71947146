// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc;

import dev.holdfast.base.Env;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.csds.ClientRegistry;
import dev.holdfast.grpc.load.LoadReporter;
import dev.holdfast.grpc.observe.CompositeObserver;
import dev.holdfast.grpc.observe.LoggingObserver;
import dev.holdfast.grpc.observe.MetricsObserver;
import dev.holdfast.grpc.observe.RecorderObserver;
import dev.holdfast.grpc.transport.ChannelSecurity;
import dev.holdfast.grpc.transport.GrpcTransportFactory;
import dev.holdfast.grpc.transport.KeepAlive;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClient;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.MetricRecorder;
import io.opentelemetry.api.metrics.Meter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a client together: a bootstrap, gRPC as its wire, and whoever wants to know what it does.
 *
 * <pre>{@code
 * XdsClient client = XdsClientBuilder.forBootstrap(XdsBootstrap.fromEnvironment()).build();
 * }</pre>
 */
public final class XdsClientBuilder {
  private final XdsBootstrap bootstrap;
  private final List<XdsClientObserver> observers = new ArrayList<>();
  private AdsProtocol protocol = AdsProtocol.SOTW;
  private Behaviour behaviour = Behaviour.fromEnvironment(System.getenv());
  private int maxInboundMessageSize = GrpcTransportFactory.DEFAULT_MAX_INBOUND_MESSAGE_SIZE;
  private KeepAlive keepAlive = GrpcTransportFactory.DEFAULT_KEEP_ALIVE;
  private String target = "";
  private Env env = Env.system();
  private boolean logging;
  private @Nullable Meter meter;
  private @Nullable MetricRecorder recorder;
  private @Nullable ClientRegistry registry;

  private XdsClientBuilder(XdsBootstrap bootstrap) {
    this.bootstrap = bootstrap;
  }

  public static XdsClientBuilder forBootstrap(XdsBootstrap bootstrap) {
    return new XdsClientBuilder(bootstrap);
  }

  /** Which variant of the protocol to speak; state of the world unless told otherwise. */
  public XdsClientBuilder protocol(AdsProtocol protocol) {
    this.protocol = protocol;
    return this;
  }

  /** Timers, backoff and switches; as the environment has them unless told otherwise. */
  public XdsClientBuilder behaviour(Behaviour behaviour) {
    this.behaviour = behaviour;
    return this;
  }

  /** The largest response to accept, in bytes; 64 MiB unless told otherwise. */
  public XdsClientBuilder maxInboundMessageSize(int bytes) {
    this.maxInboundMessageSize = bytes;
    return this;
  }

  /** When a silent server is asked whether it is there; after 5 min unless told otherwise. */
  public XdsClientBuilder keepAlive(KeepAlive keepAlive) {
    this.keepAlive = keepAlive;
    return this;
  }

  /** On whose behalf the client watches: its name in metrics, logs and CSDS. */
  public XdsClientBuilder target(String target) {
    this.target = target;
    return this;
  }

  /** Where metrics go; nowhere unless told otherwise. */
  public XdsClientBuilder metrics(Meter meter) {
    this.meter = meter;
    return this;
  }

  /** Also to the metrics of a channel; see {@link RecorderObserver}. */
  public XdsClientBuilder metrics(MetricRecorder recorder) {
    this.recorder = recorder;
    return this;
  }

  /** Logs what an operator should see; see {@link LoggingObserver}. */
  public XdsClientBuilder logging() {
    logging = true;
    return this;
  }

  /** Adds an observer. */
  public XdsClientBuilder observer(XdsClientObserver observer) {
    observers.add(observer);
    return this;
  }

  /** Shows the client to CSDS while it is open. */
  public XdsClientBuilder registry(ClientRegistry registry) {
    this.registry = registry;
    return this;
  }

  /** Threads, time and chance; the system's unless told otherwise. */
  public XdsClientBuilder env(Env env) {
    this.env = env;
    return this;
  }

  /**
   * The client. May block for a moment to find credentials; connects when the first watch needs it
   * to.
   */
  public DataPlaneClient build() {
    bootstrap.servers().forEach(XdsClientBuilder::prepare);
    bootstrap
        .authorities()
        .values()
        .forEach(authority -> authority.servers().forEach(XdsClientBuilder::prepare));
    List<Runnable> onClose = new ArrayList<>();
    List<XdsClientObserver> all = new ArrayList<>(observers);
    if (logging) {
      all.add(LoggingObserver.create(target));
    }
    if (meter != null) {
      MetricsObserver metrics = MetricsObserver.create(meter, target);
      all.add(metrics);
      onClose.add(metrics::close);
    }
    if (recorder != null) {
      RecorderObserver metrics = RecorderObserver.create(recorder, target);
      all.add(metrics);
      onClose.add(metrics::close);
    }
    GrpcTransportFactory transports =
        GrpcTransportFactory.create(env)
            .withMaxInboundMessageSize(maxInboundMessageSize)
            .withKeepAlive(keepAlive);
    XdsClientObserver observer = CompositeObserver.of(all);
    LoadReporter loads =
        new LoadReporter(bootstrap.node(), transports, behaviour.backoff(), env, observer);
    XdsClient client =
        XdsClient.create(bootstrap.toClientConfig(protocol, behaviour), transports, env, observer);
    if (registry != null) {
      onClose.add(registry.add(target, bootstrap.node(), client)::close);
    }
    return new AssembledClient(client, loads, onClose);
  }

  private static void prepare(ServerConfig server) {
    ChannelSecurity.prepare(server.credentials());
  }
}
