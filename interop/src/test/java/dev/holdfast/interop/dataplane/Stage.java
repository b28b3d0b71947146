// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.dataplane;

import com.google.gson.Gson;
import com.google.protobuf.Message;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.bootstrap.XdsBootstrapBuilder;
import dev.holdfast.grpc.resolver.HoldfastChannel;
import dev.holdfast.grpc.resolver.XdsOptions;
import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.client.BackoffPolicy;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.NameResolverRegistry;
import io.grpc.ServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.xds.XdsNameResolverProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** A control plane that does as it is told, servers, and channels to the target {@code svc}. */
final class Stage implements AutoCloseable {
  static final String NODE = "node-7";

  /** Lost servers are asked again soon; the other timers are those of production. */
  static final Behaviour PATIENT = behaviour(Duration.ofSeconds(15), Duration.ofSeconds(30));

  /** The same, with resources timed out while a test waits for it. */
  static final Behaviour QUICK = behaviour(Duration.ofSeconds(1), Duration.ofSeconds(30));

  final Ads ads = Ads.start();
  private final List<Backend> backends = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final Map<String, Map<String, String>> providers = new TreeMap<>();
  private @Nullable XdsNameResolverProvider peer;

  static Behaviour behaviour(Duration timeout, Duration dispatchTimeout) {
    return new Behaviour(
        /* dataErrorHandling= */ true,
        /* federation= */ true,
        timeout,
        timeout.multipliedBy(2),
        dispatchTimeout,
        Duration.ofMillis(50),
        new BackoffPolicy(Duration.ofMillis(50), 1.6, Duration.ofMillis(200), 0),
        Behaviour.defaults().nackBackoff());
  }

  Backend backend(String name) {
    Backend backend = Backend.start(name);
    backends.add(backend);
    return backend;
  }

  Backend backend(String name, ServerCredentials credentials) {
    return backend(name, credentials, builder -> builder);
  }

  Backend backend(
      String name, ServerCredentials credentials, UnaryOperator<NettyServerBuilder> settings) {
    Backend backend = Backend.start(name, credentials, settings);
    backends.add(backend);
    return backend;
  }

  /** A certificate provider of all bootstraps from now on; settings are names and values. */
  void provider(String name, Map<String, String> settings) {
    providers.put(name, settings);
  }

  /** All that calls need to reach these, under the names svc, r and c. */
  void serve(Backend... all) {
    ads.set(resources(all).toArray(Message[]::new));
  }

  /** All that leads to a resource, but not the resource. */
  void serveUpTo(StageType type, Backend... all) {
    ads.set(resources(all).subList(0, StageType.inOrder().indexOf(type)).toArray(Message[]::new));
  }

  private static List<Message> resources(Backend... all) {
    return List.of(
        Resources.apiListener("svc", "r"),
        Resources.routesTo("r", "c"),
        Resources.edsCluster("c"),
        Resources.endpoints("c", ports(all)));
  }

  static int[] ports(Backend... all) {
    return Arrays.stream(all).mapToInt(Backend::port).toArray();
  }

  XdsBootstrap bootstrap(ServerFeature... features) {
    XdsBootstrapBuilder bootstrap =
        XdsBootstrap.builder().nodeId(NODE).server(ServerConfig.insecure(ads.uri(), features));
    providers.forEach(
        (name, settings) ->
            bootstrap.certificateProvider(
                name, new XdsBootstrap.CertificateProvider("file_watcher", settings)));
    return bootstrap.build();
  }

  /** The environment of a process whose channels this control plane configures. */
  Map<String, String> bootstrapVariables() {
    return Map.of("GRPC_XDS_BOOTSTRAP_CONFIG", bootstrapFile());
  }

  /** What a bootstrap file has that leads to this control plane. */
  String bootstrapFile() {
    return new Gson()
        .toJson(
            Map.of(
                "node",
                Map.of("id", NODE, "locality", Map.of()), // which Node insists on
                "xds_servers",
                List.of(
                    Map.of(
                        "server_uri",
                        ads.uri(),
                        "channel_creds",
                        List.of(Map.of("type", "insecure")),
                        "server_features",
                        List.of("xds_v3"))),
                "certificate_providers",
                providersAsJson()));
  }

  private Map<String, Object> providersAsJson() {
    Map<String, Object> json = new TreeMap<>();
    providers.forEach(
        (name, settings) ->
            json.put(name, Map.of("plugin_name", "file_watcher", "config", settings)));
    return json;
  }

  ManagedChannel channel() {
    return channel(options -> options);
  }

  ManagedChannel channel(UnaryOperator<XdsOptions> options, ServerFeature... features) {
    return open(builder(options, features));
  }

  /** A channel to any target. */
  ManagedChannel channelTo(
      String target, UnaryOperator<XdsOptions> options, ServerFeature... features) {
    return open(builderFor(target, options, features));
  }

  ManagedChannelBuilder<?> builder(UnaryOperator<XdsOptions> options, ServerFeature... features) {
    return builderFor("svc", options, features);
  }

  /** A channel with these credentials. */
  ManagedChannel channel(ChannelCredentials credentials) {
    return channel(credentials, options -> options);
  }

  ManagedChannel channel(
      ChannelCredentials credentials,
      UnaryOperator<XdsOptions> options,
      ServerFeature... features) {
    return open(builderFor("svc", credentials, options, features));
  }

  private ManagedChannelBuilder<?> builderFor(
      String target, UnaryOperator<XdsOptions> options, ServerFeature... features) {
    return builderFor(target, InsecureChannelCredentials.create(), options, features);
  }

  private ManagedChannelBuilder<?> builderFor(
      String target,
      ChannelCredentials credentials,
      UnaryOperator<XdsOptions> options,
      ServerFeature... features) {
    return HoldfastChannel.forTarget(
        "xds:///" + target,
        credentials,
        options.apply(XdsOptions.of(bootstrap(features)).withBehaviour(PATIENT)));
  }

  ManagedChannel open(ManagedChannelBuilder<?> builder) {
    ManagedChannel channel = builder.build();
    channels.add(channel);
    return channel;
  }

  /** A channel of grpc-xds to the same target. */
  ManagedChannel peer() {
    return open(peerBuilder());
  }

  ManagedChannelBuilder<?> peerBuilder() {
    return peerBuilder(InsecureChannelCredentials.create());
  }

  ManagedChannelBuilder<?> peerBuilder(ChannelCredentials credentials) {
    XdsNameResolverProvider provider = peer;
    if (provider == null) {
      provider =
          XdsNameResolverProvider.createForTest(
              "peer" + ads.uri().replaceAll(".*:", ""),
              Map.of(
                  "node",
                  Map.of("id", NODE),
                  "certificate_providers",
                  providersAsJson(),
                  "xds_servers",
                  List.of(
                      Map.of(
                          "server_uri",
                          ads.uri(),
                          "channel_creds",
                          List.of(Map.of("type", "insecure")),
                          "server_features",
                          List.of("xds_v3")))));
      NameResolverRegistry.getDefaultRegistry().register(provider);
      peer = provider;
    }
    return Grpc.newChannelBuilder(provider.getDefaultScheme() + ":///svc", credentials);
  }

  /** Calls until one ends as wanted. */
  static Rpc.Outcome awaitCall(ManagedChannel channel, String what, Predicate<Rpc.Outcome> wanted) {
    Rpc.Outcome[] last = new Rpc.Outcome[1];
    try {
      await(
          what,
          () -> {
            last[0] = Rpc.call(channel);
            return wanted.test(last[0]);
          });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(what + ": " + last[0], e);
    }
    return last[0];
  }

  static Rpc.Outcome awaitBackend(ManagedChannel channel, Backend backend) {
    return awaitCall(
        channel,
        "answer of " + backend.name(),
        outcome -> outcome.backend().equals(backend.name()));
  }

  static void await(String what, Callable<Boolean> condition) {
    Awaitility.await(what)
        .dontCatchUncaughtExceptions()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(10))
        .until(condition);
  }

  void closeChannels() {
    channels.forEach(ManagedChannel::shutdownNow);
    channels.forEach(Stage::awaitTermination);
    channels.clear();
  }

  @Override
  public void close() {
    closeChannels();
    if (peer != null) {
      NameResolverRegistry.getDefaultRegistry().deregister(peer);
    }
    backends.forEach(Backend::close);
    ads.close();
  }

  private static void awaitTermination(ManagedChannel channel) {
    try {
      if (!channel.awaitTermination(60, TimeUnit.SECONDS)) {
        throw new AssertionError("the channel did not end: " + channel);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while stopping", e);
    }
  }
}
