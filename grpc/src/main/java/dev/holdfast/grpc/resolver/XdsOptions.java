// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.base.Env;
import dev.holdfast.grpc.XdsClientBuilder;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.csds.ClientRegistry;
import dev.holdfast.grpc.routing.ThreadSafeRandom;
import dev.holdfast.grpc.transport.KeepAlive;
import dev.holdfast.xds.client.Behaviour;
import dev.holdfast.xds.client.XdsClientObserver;
import dev.holdfast.xds.client.transport.AdsProtocol;
import io.grpc.NameResolver;
import io.opentelemetry.api.metrics.Meter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How channels get their configuration if the environment is not to say so: a bootstrap written in
 * code, metrics, and so on. Immutable. Channels to the same target share one client, and so one
 * connection to the control plane (gRFC A71), if they have equal options: the same instance, or
 * nothing but equal bootstraps.
 */
public final class XdsOptions {
  /** How channels are given options. */
  public static final NameResolver.Args.Key<XdsOptions> KEY =
      NameResolver.Args.Key.create("dev.holdfast.grpc.xds-options");

  private static final ClientRegistry CLIENTS = new ClientRegistry();
  private static final XdsOptions FROM_ENVIRONMENT =
      new XdsOptions(null, List.of(), CLIENTS, Set.of(), null);

  private enum Switch {
    PER_TRY_TIMEOUT,
    CLUSTER_TLS_IGNORED
  }

  private final @Nullable XdsBootstrap bootstrap;
  private final List<Consumer<XdsClientBuilder>> settings;
  private final ClientRegistry registry;
  private final Set<Switch> switches;
  private final @Nullable ThreadSafeRandom random;

  private XdsOptions(
      @Nullable XdsBootstrap bootstrap,
      List<Consumer<XdsClientBuilder>> settings,
      ClientRegistry registry,
      Set<Switch> switches,
      @Nullable ThreadSafeRandom random) {
    this.bootstrap = bootstrap;
    this.settings = List.copyOf(settings);
    this.registry = registry;
    this.switches = Set.copyOf(switches);
    this.random = random;
  }

  /** A bootstrap from {@code GRPC_XDS_BOOTSTRAP} or {@code GRPC_XDS_BOOTSTRAP_CONFIG}. */
  public static XdsOptions fromEnvironment() {
    return FROM_ENVIRONMENT;
  }

  /** A bootstrap of the caller's own. */
  public static XdsOptions of(XdsBootstrap bootstrap) {
    return new XdsOptions(bootstrap, List.of(), CLIENTS, Set.of(), null);
  }

  /** The clients of all channels that name no registry of their own, for a CSDS service. */
  public static ClientRegistry clients() {
    return CLIENTS;
  }

  /** The same, with metrics (gRFC A78). */
  public XdsOptions withMetrics(Meter meter) {
    return with(builder -> builder.metrics(meter));
  }

  /** The same, speaking this variant of the protocol. */
  public XdsOptions withProtocol(AdsProtocol protocol) {
    return with(builder -> builder.protocol(protocol));
  }

  /** The same, with these timers, backoffs and switches. */
  public XdsOptions withBehaviour(Behaviour behaviour) {
    return with(builder -> builder.behaviour(behaviour));
  }

  /** The same, with this to say when a silent server is asked whether it is still there. */
  public XdsOptions withKeepAlive(KeepAlive keepAlive) {
    return with(builder -> builder.keepAlive(keepAlive));
  }

  /** The same, with one more who hears of what clients do. */
  public XdsOptions withObserver(XdsClientObserver observer) {
    return with(builder -> builder.observer(observer));
  }

  /** The same, with these threads, this time and this chance for the client. */
  public XdsOptions withEnv(Env env) {
    return with(builder -> builder.env(env));
  }

  /** The same, with the clients shown in another registry. */
  public XdsOptions withRegistry(ClientRegistry other) {
    return new XdsOptions(bootstrap, settings, other, switches, random);
  }

  /**
   * The same, with {@code per_try_timeout} of retry policies in force, which gRFC A44 has clients
   * ignore. {@code HOLDFAST_GRPC_PER_TRY_TIMEOUT=true} in the environment does so for all channels.
   */
  public XdsOptions withPerTryTimeout() {
    return with(Switch.PER_TRY_TIMEOUT);
  }

  /**
   * The same, ignoring that a cluster asks for TLS: its connections use the credentials of the
   * channel, and if these are insecure, calls are not encrypted. Without this, calls to such a
   * cluster fail unless the credentials of the channel provide TLS.
   */
  public XdsOptions withClusterTlsIgnored() {
    return with(Switch.CLUSTER_TLS_IGNORED);
  }

  /** The same, with this chance for what calls draw: clusters by weight, routes by fraction. */
  public XdsOptions withRandom(ThreadSafeRandom chance) {
    return new XdsOptions(bootstrap, settings, registry, switches, chance);
  }

  private XdsOptions with(Consumer<XdsClientBuilder> more) {
    List<Consumer<XdsClientBuilder>> all = new ArrayList<>(settings);
    all.add(more);
    return new XdsOptions(bootstrap, all, registry, switches, random);
  }

  private XdsOptions with(Switch one) {
    Set<Switch> more = EnumSet.of(one);
    more.addAll(switches);
    return new XdsOptions(bootstrap, settings, registry, more, random);
  }

  boolean perTryTimeout() {
    return switches.contains(Switch.PER_TRY_TIMEOUT);
  }

  boolean clusterTlsIgnored() {
    return switches.contains(Switch.CLUSTER_TLS_IGNORED);
  }

  ThreadSafeRandom randomOr(ThreadSafeRandom otherwise) {
    return random == null ? otherwise : random;
  }

  @Nullable XdsBootstrap bootstrap() {
    return bootstrap;
  }

  /** A client for one target, with a bootstrap that may have come from elsewhere. */
  XdsClientBuilder client(XdsBootstrap found, String target) {
    XdsClientBuilder builder =
        XdsClientBuilder.forBootstrap(found).target(target).registry(registry).logging();
    settings.forEach(setting -> setting.accept(builder));
    return builder;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof XdsOptions that
        && Objects.equals(bootstrap, that.bootstrap)
        && settings.equals(that.settings)
        && registry.equals(that.registry)
        && switches.equals(that.switches)
        && Objects.equals(random, that.random);
  }

  @Override
  public int hashCode() {
    return Objects.hash(bootstrap, settings, registry, switches, random);
  }
}
