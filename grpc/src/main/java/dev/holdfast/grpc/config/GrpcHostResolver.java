// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.SynchronizationContext.ScheduledHandle;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks up hosts by the channel's own resolver for {@code dns:}. */
public final class GrpcHostResolver implements HostResolver {
  private static final String SCHEME = "dns";

  private final NameResolver.Args args;

  /**
   * @param args as the channel gave them to the resolver of the target
   */
  public GrpcHostResolver(NameResolver.Args args) {
    this.args = args;
  }

  @Override
  public Lookup resolve(String hostAndPort, Consumer<StatusOr<List<InetSocketAddress>>> listener) {
    NameResolver resolver;
    try {
      resolver = resolver(hostAndPort);
    } catch (URISyntaxException | IllegalArgumentException e) {
      return refuse(listener, "not a host to look up: " + e.getMessage());
    }
    if (resolver == null) {
      return refuse(listener, "no resolver for dns: (expected: one that is registered with gRPC)");
    }
    GrpcLookup lookup = new GrpcLookup(resolver, listener);
    args.getSynchronizationContext().execute(lookup::start);
    return lookup;
  }

  private @Nullable NameResolver resolver(String hostAndPort) throws URISyntaxException {
    NameResolverProvider provider = args.getNameResolverRegistry().getProviderForScheme(SCHEME);
    return provider == null
        ? null
        : provider.newNameResolver(new URI(SCHEME, "", "/" + hostAndPort, null), args);
  }

  private static Lookup refuse(Consumer<StatusOr<List<InetSocketAddress>>> listener, String text) {
    listener.accept(StatusOr.fromStatus(Status.UNAVAILABLE.withDescription(text)));
    return new Lookup() {
      @Override
      public void refresh() {
        // Would come to the same.
      }

      @Override
      public void close() {
        // Nothing was opened.
      }
    };
  }

  /** One resolver; tries again after failures, later each time. Runs in the channel's context. */
  private final class GrpcLookup extends NameResolver.Listener2 implements Lookup {
    private static final double FIRST_DELAY_SECONDS = 1;
    private static final double MAX_DELAY_SECONDS = 120;
    private static final double MULTIPLIER = 1.6;
    private static final double JITTER = 0.2;

    private final NameResolver resolver;
    private final Consumer<StatusOr<List<InetSocketAddress>>> listener;
    private double delaySeconds = FIRST_DELAY_SECONDS;
    private @Nullable ScheduledHandle retry;
    private boolean closed;

    GrpcLookup(NameResolver resolver, Consumer<StatusOr<List<InetSocketAddress>>> listener) {
      this.resolver = resolver;
      this.listener = listener;
    }

    void start() {
      if (!closed) {
        resolver.start(this);
      }
    }

    @Override
    public void refresh() {
      args.getSynchronizationContext()
          .execute(
              () -> {
                if (!closed && retry == null) { // else it will ask soon enough
                  resolver.refresh();
                }
              });
    }

    @Override
    public void close() {
      args.getSynchronizationContext()
          .execute(
              () -> {
                closed = true;
                if (retry != null) {
                  retry.cancel();
                }
                resolver.shutdown();
              });
    }

    @Override
    public void onResult(NameResolver.ResolutionResult result) {
      args.getSynchronizationContext().execute(() -> onResult2(result));
    }

    @Override
    public Status onResult2(NameResolver.ResolutionResult result) {
      StatusOr<List<EquivalentAddressGroup>> groups = result.getAddressesOrError();
      if (!groups.hasValue()) {
        fail(groups.getStatus());
        return groups.getStatus();
      }
      delaySeconds = FIRST_DELAY_SECONDS;
      if (!closed) {
        listener.accept(StatusOr.fromValue(addresses(groups.getValue())));
      }
      return Status.OK;
    }

    @Override
    public void onError(Status error) {
      args.getSynchronizationContext().execute(() -> fail(error));
    }

    private void fail(Status error) {
      if (closed) {
        return;
      }
      listener.accept(StatusOr.fromStatus(error));
      if (retry == null) {
        double jitter = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
        retry =
            args.getSynchronizationContext()
                .schedule(
                    this::retry,
                    (long) (delaySeconds * jitter * 1e9),
                    TimeUnit.NANOSECONDS,
                    args.getScheduledExecutorService());
        delaySeconds = Math.min(MAX_DELAY_SECONDS, delaySeconds * MULTIPLIER);
      }
    }

    private void retry() {
      retry = null;
      if (!closed) {
        resolver.refresh();
      }
    }
  }

  private static List<InetSocketAddress> addresses(List<EquivalentAddressGroup> groups) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (EquivalentAddressGroup group : groups) {
      for (SocketAddress address : group.getAddresses()) {
        if (address instanceof InetSocketAddress inet) {
          addresses.add(inet);
        }
      }
    }
    return addresses;
  }
}
