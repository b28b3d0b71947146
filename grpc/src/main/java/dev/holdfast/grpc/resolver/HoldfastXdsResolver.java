// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.base.Loop;
import dev.holdfast.grpc.config.DependencyManager;
import dev.holdfast.grpc.config.GrpcHostResolver;
import dev.holdfast.grpc.config.Subscription;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.grpc.filter.ClientFilters;
import dev.holdfast.grpc.filter.FilterEnvironment;
import dev.holdfast.grpc.libraries.LibraryCheck;
import dev.holdfast.grpc.load.LoadReports;
import dev.holdfast.grpc.retry.TimedRetries;
import dev.holdfast.grpc.routing.CallRouter;
import dev.holdfast.grpc.routing.MethodConfigs;
import dev.holdfast.grpc.routing.ThreadSafeRandom;
import dev.holdfast.grpc.security.ClusterSecurity;
import dev.holdfast.xds.resources.listener.IgnoredFilter;
import io.grpc.Attributes;
import io.grpc.InternalConfigSelector;
import io.grpc.NameResolver;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Resolves one target into what its channel needs: no addresses, but a configuration for the
 * balancers and a router for the calls. Only used from the channel's synchronization context, where
 * the loop of the dependency manager runs as well.
 */
final class HoldfastXdsResolver extends NameResolver {
  private static final Logger LOG = System.getLogger("dev.holdfast.xds");

  private final XdsTarget target;
  private final Args args;
  private final ClientSource clients;
  private final XdsOptions options;
  private final ConfigOrError serviceConfig;
  private final Loop loop;
  private final CallRouter router;
  private @Nullable Listener2 listener;
  private ClientSource.@Nullable Lease lease;
  private @Nullable DependencyManager manager;
  private List<IgnoredFilter> ignored = List.of();
  private boolean shutdown;

  HoldfastXdsResolver(XdsTarget target, Args args, ClientSource clients, ThreadSafeRandom random) {
    this.target = target;
    this.args = args;
    this.clients = clients;
    XdsOptions given = args.getArg(XdsOptions.KEY);
    options = given == null ? XdsOptions.fromEnvironment() : given;
    serviceConfig =
        args.getServiceConfigParser()
            .parseServiceConfig(
                Map.of(
                    "loadBalancingConfig",
                    List.of(Map.of(XdsRootBalancerProvider.POLICY, Map.of()))));
    loop = new Loop(this::inContext, this::uncaught);
    router =
        new CallRouter(
            this::subscribe,
            new MethodConfigs(args.getServiceConfigParser()),
            new TimedRetries(args::getScheduledExecutorService),
            new ClientFilters(
                FilterEnvironment.of(
                    args::getScheduledExecutorService, options.randomOr(random)::nextLong)),
            options.randomOr(random));
  }

  /**
   * Runs a turn of the loop in the channel's context, from a thread of the channel: what an engine
   * says in one breath is gathered meanwhile, and its own thread is free for other channels.
   */
  private void inContext(Runnable turn) {
    Executor offload = args.getOffloadExecutor();
    if (offload == null) {
      args.getSynchronizationContext().execute(turn);
      return;
    }
    try {
      offload.execute(() -> args.getSynchronizationContext().execute(turn));
    } catch (RejectedExecutionException e) { // the application shut its executor down
      args.getSynchronizationContext().execute(turn);
    }
  }

  private void uncaught(Throwable e) {
    LOG.log(Level.ERROR, "[" + target.uri() + "] a defect, please report it", e);
    if (e instanceof LinkageError && !shutdown) { // calls would wait for what never comes
      fail(unlinked(e), /* askAgain= */ false);
    }
  }

  private Status unlinked(Throwable e) {
    return Status.UNAVAILABLE
        .withDescription("target " + target.uri() + ": " + LibraryCheck.describe(e))
        .withCause(e);
  }

  private Subscription subscribe(String cluster) {
    if (manager == null) {
      throw new IllegalStateException("cluster " + cluster + " without a manager");
    }
    return manager.subscribe(cluster);
  }

  @Override
  public String getServiceAuthority() {
    return target.serviceAuthority();
  }

  @Override
  public void start(Listener2 listener) {
    this.listener = listener;
    open();
  }

  /** Also what brings a bootstrap that was bad at first to be read again. */
  @Override
  public void refresh() {
    if (manager != null) {
      manager.refresh();
    } else if (listener != null && !shutdown) {
      open();
    }
  }

  @Override
  public void shutdown() {
    shutdown = true;
    if (manager != null) {
      manager.close();
    }
    if (lease != null) {
      lease.close();
    }
  }

  private void open() {
    ClientSource.Lease opened;
    try {
      opened = clients.lease(target.uri(), options, args.getMetricRecorder());
    } catch (RuntimeException e) {
      fail(
          Status.UNAVAILABLE
              .withDescription("target " + target.uri() + ": no xDS client: " + e.getMessage())
              .withCause(e),
          /* askAgain= */ true);
      return;
    } catch (LinkageError e) {
      fail(unlinked(e), /* askAgain= */ true);
      return;
    }
    StatusOr<String> name = target.listener(opened.bootstrap());
    if (!name.hasValue()) {
      opened.close();
      fail(name.getStatus(), /* askAgain= */ true);
      return;
    }
    lease = opened;
    String override = args.getOverrideAuthority();
    manager =
        DependencyManager.start(
            new DependencyManager.Sources(
                opened.client(),
                opened.types(),
                new GrpcHostResolver(args),
                opened.bootstrap().node().getId()),
            new DependencyManager.Target(
                name.getValue(), override == null ? target.serviceAuthority() : override),
            loop,
            this::onConfig);
  }

  private void onConfig(StatusOr<XdsConfig> config) {
    if (shutdown) {
      return;
    }
    if (config.hasValue()) {
      ClientSource.Lease leased = Objects.requireNonNull(lease);
      XdsConfig value = config.getValue();
      noteIgnored(value.manager().chain().ignored());
      router.use(
          value,
          () ->
              publish(
                  attributes()
                      .set(XdsConfig.KEY, value)
                      .set(CallRouter.ROUTER, router)
                      .set(ClusterSecurity.KEY, leased.security())
                      .set(LoadReports.KEY, leased.loads())
                      .build()));
    } else {
      fail(config.getStatus(), /* askAgain= */ false);
    }
  }

  /** Once for each listener, and quietly: its author has said that calls may go without them. */
  private void noteIgnored(List<IgnoredFilter> filters) {
    if (!filters.equals(ignored)) {
      ignored = filters;
      for (IgnoredFilter filter : filters) {
        LOG.log(
            Level.DEBUG,
            "[{0}] HTTP filter {1} ({2}) is optional and not supported: calls go without it",
            target.uri(),
            filter.name(),
            filter.type().isEmpty() ? "no type" : filter.type());
      }
    }
  }

  private void fail(Status status, boolean askAgain) {
    router.stop();
    publish(
        attributes().set(ResolutionFailure.KEY, new ResolutionFailure(status, askAgain)).build());
  }

  private Attributes.Builder attributes() {
    return Attributes.newBuilder().set(InternalConfigSelector.KEY, router);
  }

  private void publish(Attributes attributes) {
    if (listener != null) {
      // Of a result that is not accepted the channel sees to it that it asks again.
      listener.onResult2(
          ResolutionResult.newBuilder()
              .setAddressesOrError(StatusOr.fromValue(List.of()))
              .setAttributes(attributes)
              .setServiceConfig(serviceConfig)
              .build());
    }
  }
}
