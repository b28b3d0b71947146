// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTime;
import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolver.ResolutionResult;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import io.grpc.StatusOr;
import io.grpc.SynchronizationContext;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lookups by the channel's own resolver for {@code dns:}. */
class GrpcHostResolverTest {
  private static final InetSocketAddress ONE = InetSocketAddress.createUnresolved("10.0.0.1", 80);
  private static final InetSocketAddress TWO = InetSocketAddress.createUnresolved("10.0.0.2", 80);

  private final ManualTime time = new ManualTime();
  private final NameResolverRegistry registry = new NameResolverRegistry();
  private final FakeDns dns = new FakeDns();
  private final List<StatusOr<List<InetSocketAddress>>> told = new ArrayList<>();

  @Test
  void allAddressesOfAllGroupsAreTold() {
    registry.register(dns);
    HostResolver.Lookup lookup = resolve("db.example:80");
    assertThat(dns.target).isEqualTo("dns:/db.example:80");
    dns.found(new EquivalentAddressGroup(ONE), new EquivalentAddressGroup(TWO));
    assertThat(last().getValue()).containsExactly(ONE, TWO);
    lookup.refresh();
    assertThat(dns.refreshes).isEqualTo(1);
    lookup.close();
    assertThat(dns.shutdown).isTrue();
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void lookupThatFailsIsTriedAgainLaterEachTime() {
    registry.register(dns);
    HostResolver.Lookup lookup = resolve("db.example:80");
    dns.failed(Status.UNAVAILABLE.withDescription("no such host"));
    assertThat(last().getStatus().getDescription()).isEqualTo("no such host");
    assertThat(time.untilNext()).isBetween(Duration.ofMillis(800), Duration.ofMillis(1200));
    lookup.refresh();
    assertThat(dns.refreshes).as("it will ask soon enough").isZero();
    time.advance(Duration.ofSeconds(2));
    assertThat(dns.refreshes).isEqualTo(1);
    dns.failed(Status.UNAVAILABLE);
    assertThat(time.untilNext()).isBetween(Duration.ofMillis(1280), Duration.ofMillis(1920));
    time.advance(Duration.ofSeconds(2));
    dns.found(new EquivalentAddressGroup(ONE));
    dns.failed(Status.UNAVAILABLE);
    assertThat(time.untilNext()).as("from the start").isLessThan(Duration.ofMillis(1201));
    lookup.close();
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void closedLookupIsSilent() {
    registry.register(dns);
    resolve("db.example:80").close();
    dns.found(new EquivalentAddressGroup(ONE));
    dns.failed(Status.UNAVAILABLE);
    assertThat(told).isEmpty();
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void withoutAResolverForDnsTheLookupSaysSo() {
    HostResolver.Lookup lookup = resolve("db.example:80");
    assertThat(last().getStatus().getDescription()).startsWith("no resolver for dns:");
    lookup.refresh();
    lookup.close();
  }

  @Test
  void ipv6LiteralsAreUnderstood() {
    registry.register(dns);
    resolve("[::1]:80").close();
    assertThat(dns.target).isEqualTo("dns:/[::1]:80");
  }

  private HostResolver.Lookup resolve(String host) {
    NameResolver.Args args =
        NameResolver.Args.newBuilder()
            .setDefaultPort(443)
            .setProxyDetector(address -> null)
            .setSynchronizationContext(
                new SynchronizationContext(
                    (thread, error) -> {
                      throw new AssertionError(error);
                    }))
            .setScheduledExecutorService(new ManualScheduler(time))
            .setNameResolverRegistry(registry)
            .setServiceConfigParser(
                new NameResolver.ServiceConfigParser() {
                  @Override
                  public NameResolver.ConfigOrError parseServiceConfig(Map<String, ?> raw) {
                    return NameResolver.ConfigOrError.fromConfig(raw);
                  }
                })
            .build();
    return new GrpcHostResolver(args).resolve(host, told::add);
  }

  private StatusOr<List<InetSocketAddress>> last() {
    assertThat(told).isNotEmpty();
    return told.get(told.size() - 1);
  }

  private static final class FakeDns extends NameResolverProvider {
    private String target = "";
    private int refreshes;
    private boolean shutdown;
    private NameResolver.@Nullable Listener2 listener;

    void found(EquivalentAddressGroup... groups) {
      listener()
          .onResult2(
              ResolutionResult.newBuilder()
                  .setAddressesOrError(StatusOr.fromValue(List.of(groups)))
                  .build());
    }

    void failed(Status status) {
      listener()
          .onResult2(
              ResolutionResult.newBuilder()
                  .setAddressesOrError(StatusOr.fromStatus(status))
                  .build());
    }

    private NameResolver.Listener2 listener() {
      if (listener == null) {
        throw new AssertionError("not started");
      }
      return listener;
    }

    @Override
    public NameResolver newNameResolver(URI uri, NameResolver.Args args) {
      target = uri.getScheme() + ":" + uri.getPath();
      return new NameResolver() {
        @Override
        public String getServiceAuthority() {
          return "";
        }

        @Override
        public void start(Listener2 started) {
          listener = started;
        }

        @Override
        public void refresh() {
          refreshes++;
        }

        @Override
        public void shutdown() {
          shutdown = true;
        }
      };
    }

    @Override
    public String getDefaultScheme() {
      return "dns";
    }

    @Override
    protected boolean isAvailable() {
      return true;
    }

    @Override
    protected int priority() {
      return 5;
    }
  }
}
