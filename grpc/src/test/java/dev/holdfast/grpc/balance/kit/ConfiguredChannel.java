// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.kit;

import dev.holdfast.grpc.config.RoutedCall;
import dev.holdfast.grpc.config.XdsConfig;
import io.grpc.CallOptions;
import io.grpc.ConnectivityState;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.StatusOr;
import io.grpc.stub.ClientCalls;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A channel of gRPC's whose configuration a test gives. */
public final class ConfiguredChannel {
  private final Resolver resolver = new Resolver();
  private final Provider provider = new Provider(resolver);
  private final ManagedChannel channel;

  public ConfiguredChannel() {
    NameResolverRegistry.getDefaultRegistry().register(provider);
    channel =
        Grpc.newChannelBuilder("configured:///any", InsecureChannelCredentials.create()).build();
  }

  /** Returns when the balancers have it, if the channel has been used before. */
  public void give(XdsConfig config) throws InterruptedException {
    resolver.give(config);
  }

  /** The port of the backend that answers. */
  public int call(RoutedCall call) {
    return ClientCalls.blockingUnaryCall(channel, Backend.METHOD, options(call), 0);
  }

  /** Begins a call that waits for a backend. */
  public Future<Integer> callWhenReady(RoutedCall call) {
    return ClientCalls.futureUnaryCall(
        channel.newCall(Backend.METHOD, options(call).withWaitForReady()), 0);
  }

  private static CallOptions options(RoutedCall call) {
    return CallOptions.DEFAULT
        .withOption(RoutedCall.KEY, call)
        .withDeadlineAfter(60, TimeUnit.SECONDS);
  }

  /** Does something, and waits until the channel has left a state, be it for a moment. */
  public void awaitLeaving(ConnectivityState state, Action action) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(1);
    channel.notifyWhenStateChanged(state, left::countDown);
    action.run();
    if (!left.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("still " + state);
    }
  }

  /** Something that makes a channel change its state. */
  @FunctionalInterface
  public interface Action {
    void run() throws InterruptedException;
  }

  public void stop() throws InterruptedException {
    channel.shutdownNow();
    NameResolverRegistry.getDefaultRegistry().deregister(provider);
    if (!channel.awaitTermination(60, TimeUnit.SECONDS)) {
      throw new AssertionError("still there: " + channel);
    }
  }

  private static final class Resolver extends NameResolver {
    private final CompletableFuture<Listener2> listener = new CompletableFuture<>();
    private volatile @Nullable Args args;
    private volatile @Nullable XdsConfig given;

    void give(XdsConfig config) throws InterruptedException {
      given = config;
      Args using = args;
      if (using != null && listener.isDone()) {
        CountDownLatch delivered = new CountDownLatch(1);
        using
            .getSynchronizationContext()
            .execute(
                () -> {
                  deliver(using, listener.join(), config);
                  delivered.countDown();
                });
        if (!delivered.await(60, TimeUnit.SECONDS)) {
          throw new AssertionError("not delivered");
        }
      }
    }

    private static void deliver(Args args, Listener2 listener, XdsConfig config) {
      Map<String, ?> serviceConfig =
          Map.of("loadBalancingConfig", List.of(Map.of("holdfast_cluster_manager", Map.of())));
      listener.onResult2(
          ResolutionResult.newBuilder()
              .setAddressesOrError(StatusOr.fromValue(List.of()))
              .setAttributes(Configs.attributes(config))
              .setServiceConfig(args.getServiceConfigParser().parseServiceConfig(serviceConfig))
              .build());
    }

    @Override
    public String getServiceAuthority() {
      return "configured";
    }

    @Override
    public void start(Listener2 to) {
      listener.complete(to);
      XdsConfig config = given;
      Args using = args;
      if (config != null && using != null) {
        deliver(using, to, config);
      }
    }

    @Override
    public void shutdown() {}
  }

  private static final class Provider extends NameResolverProvider {
    private final Resolver resolver;

    Provider(Resolver resolver) {
      this.resolver = resolver;
    }

    @Override
    protected boolean isAvailable() {
      return true;
    }

    @Override
    protected int priority() {
      return 5;
    }

    @Override
    public String getDefaultScheme() {
      return "configured";
    }

    @Override
    public NameResolver newNameResolver(URI target, NameResolver.Args args) {
      resolver.args = args;
      return resolver;
    }
  }
}
