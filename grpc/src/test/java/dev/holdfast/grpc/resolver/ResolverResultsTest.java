// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.grpc.XdsTypes;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.grpc.config.FakeXds;
import dev.holdfast.grpc.config.XdsConfig;
import dev.holdfast.grpc.routing.CallRouter;
import dev.holdfast.grpc.routing.ThreadSafeRandom;
import dev.holdfast.grpc.security.ClusterSecurity;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.Resources;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.XdsClient;
import io.grpc.InternalConfigSelector;
import io.grpc.NameResolver;
import io.grpc.NameResolver.ResolutionResult;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a channel is told by its resolver. */
class ResolverResultsTest {
  private final FakeXds xds = new FakeXds();
  private final ManualExecutor offload = new ManualExecutor();
  private final List<ResolutionResult> results = new ArrayList<>();
  private final NameResolver.Args args = Channels.argsBuilder().setOffloadExecutor(offload).build();
  private @Nullable RuntimeException broken;
  private int leases;

  private final NameResolver resolver =
      new HoldfastXdsResolver(
          XdsTarget.of("xds:///svc", "", "/svc"), args, this::lease, ThreadSafeRandom.system());

  @Test
  void resultHasNoAddressesButAConfigurationAndARouter() {
    start();
    completeConfiguration();
    ResolutionResult result = last();
    assertThat(result.getAddressesOrError().getValue()).isEmpty();
    assertThat(result.getServiceConfig()).isNotNull();
    assertThat(result.getServiceConfig().getConfig())
        .isEqualTo(Map.of("loadBalancingConfig", List.of(Map.of("holdfast_xds", Map.of()))));
    XdsConfig config = result.getAttributes().get(XdsConfig.KEY);
    assertThat(config).isNotNull();
    assertThat(config.clusters()).containsOnlyKeys("c");
    assertThat(result.getAttributes().get(InternalConfigSelector.KEY))
        .isSameAs(result.getAttributes().get(CallRouter.ROUTER));
    assertThat(results).hasSize(1);
  }

  @Test
  void oneResultForWhatCameInOneBreath() {
    start();
    completeConfiguration();
    xds.send("EDS", "c", Resources.endpoints("c", 2));
    xds.send("EDS", "c", Resources.endpoints("c", 3));
    xds.ambient("CDS", "c", Status.Code.UNAVAILABLE, "server lost");
    offload.runAll();
    assertThat(results).hasSize(2);
    assertThat(last().getAttributes().get(InternalConfigSelector.KEY))
        .isSameAs(results.get(0).getAttributes().get(InternalConfigSelector.KEY));
  }

  @Test
  void clustersThatAreNoLongerRoutedToGoInASecondResult() {
    start();
    completeConfiguration();
    xds.send("RDS", "r", Resources.routesTo("r", "d"));
    offload.runAll();
    xds.send("CDS", "d", Resources.edsCluster("d"));
    offload.runAll();
    xds.send("EDS", "d", Resources.endpoints("d", 1));
    offload.runAll();
    assertThat(results).hasSize(3);
    assertThat(config(results.get(1)).clusters()).containsOnlyKeys("c", "d");
    assertThat(config(results.get(2)).clusters()).containsOnlyKeys("d");
    assertThat(xds.watched()).containsExactly("CDS d", "EDS d", "LDS svc", "RDS r");
  }

  @Test
  void errorOfTheListenerComesAsAFailureThatReplacesWhatWasThere() {
    start();
    completeConfiguration();
    xds.fail("LDS", "svc", Status.Code.NOT_FOUND, "does not exist");
    offload.runAll();
    assertThat(last().getAddressesOrError().hasValue()).isTrue();
    assertThat(last().getAttributes().get(XdsConfig.KEY)).isNull();
    ResolutionFailure failure = last().getAttributes().get(ResolutionFailure.KEY);
    assertThat(failure).isNotNull();
    assertThat(failure.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(failure.status().getDescription())
        .isEqualTo("LDS resource svc: does not exist (node ID:node-1)");
    assertThat(failure.askAgain()).isFalse();
    assertThat(xds.watched()).containsExactly("LDS svc");
  }

  @Test
  void bootstrapThatIsBadIsAFailureAndIsReadAgainWhenAsked() {
    broken = new IllegalStateException("no bootstrap (expected: one)");
    start();
    ResolutionFailure failure = last().getAttributes().get(ResolutionFailure.KEY);
    assertThat(failure).isNotNull();
    assertThat(failure.status().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(failure.status().getDescription())
        .isEqualTo("target xds:///svc: no xDS client: no bootstrap (expected: one)");
    assertThat(failure.askAgain()).isTrue();

    broken = null;
    resolver.refresh();
    offload.runAll();
    assertThat(xds.watched()).containsExactly("LDS svc");
    resolver.refresh();
    assertThat(leases).as("once it works, asking again opens nothing").isEqualTo(1);
  }

  @Test
  void shuttingDownReleasesEverything() {
    start();
    completeConfiguration();
    resolver.shutdown();
    offload.runAll();
    assertThat(xds.watched()).isEmpty();
    assertThat(leases).isZero();
  }

  private void start() {
    resolver.start(
        new NameResolver.Listener2() {
          @Override
          public void onResult(ResolutionResult result) {
            throw new AssertionError("the older method");
          }

          @Override
          public Status onResult2(ResolutionResult result) {
            results.add(result);
            return Status.OK;
          }

          @Override
          public void onError(Status error) {
            throw new AssertionError("the older method: " + error);
          }
        });
    offload.runAll();
  }

  private void completeConfiguration() {
    xds.send("LDS", "svc", Resources.apiListener("svc", "r"));
    offload.runAll();
    xds.send("RDS", "r", Resources.routesTo("r", "c"));
    offload.runAll();
    xds.send("CDS", "c", Resources.edsCluster("c"));
    offload.runAll();
    xds.send("EDS", "c", Resources.endpoints("c", 1));
    offload.runAll();
  }

  private ResolutionResult last() {
    assertThat(results).isNotEmpty();
    return results.get(results.size() - 1);
  }

  private static XdsConfig config(ResolutionResult result) {
    XdsConfig config = result.getAttributes().get(XdsConfig.KEY);
    assertThat(config).isNotNull();
    return config;
  }

  private ClientSource.Lease lease(String target, XdsOptions options) {
    if (broken != null) {
      throw broken;
    }
    leases++;
    XdsBootstrap bootstrap =
        XdsBootstrap.builder()
            .nodeId("node-1")
            .server(ServerConfig.insecure("xds.example:443"))
            .build();
    return new ClientSource.Lease() {
      @Override
      public XdsClient client() {
        return xds;
      }

      @Override
      public XdsTypes types() {
        return new XdsTypes();
      }

      @Override
      public XdsBootstrap bootstrap() {
        return bootstrap;
      }

      @Override
      public ClusterSecurity security() {
        return ClusterSecurity.withoutProviders();
      }

      @Override
      public void close() {
        leases--;
      }
    };
  }
}
