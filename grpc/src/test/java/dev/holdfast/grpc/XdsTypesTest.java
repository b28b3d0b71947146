// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.holdfast.base.Decoded;
import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.testkit.Resources;
import dev.holdfast.testkit.TypeUrls;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.client.ServerConfig;
import dev.holdfast.xds.client.ServerFeature;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class XdsTypesTest {
  private static final ServerConfig SERVER = ServerConfig.insecure("xds:1");
  private static final XdsTypes TYPES = new XdsTypes();

  static Stream<Arguments> types() {
    return Stream.of(
        Arguments.of(
            TYPES.listener(),
            TypeUrls.LISTENER,
            "LDS",
            Completeness.FULL,
            Resources.apiListener("x", "r")),
        Arguments.of(
            TYPES.routeConfiguration(),
            TypeUrls.ROUTE_CONFIGURATION,
            "RDS",
            Completeness.PARTIAL,
            Resources.routesTo("x", "c")),
        Arguments.of(
            TYPES.cluster(), TypeUrls.CLUSTER, "CDS", Completeness.FULL, Resources.edsCluster("x")),
        Arguments.of(
            TYPES.clusterLoadAssignment(),
            TypeUrls.CLUSTER_LOAD_ASSIGNMENT,
            "EDS",
            Completeness.PARTIAL,
            Resources.endpoints("x", 80)));
  }

  @ParameterizedTest
  @MethodSource("types")
  void describesTheTypeAndReadsWhatATestkitWrites(
      ResourceType<?> type,
      String typeUrl,
      String shortName,
      Completeness completeness,
      Message resource) {
    assertThat(type.typeUrl()).isEqualTo(typeUrl);
    assertThat(type.shortName()).isEqualTo(shortName);
    assertThat(type.completeness()).isEqualTo(completeness);
    assertThat(type.peekName(resource.toByteString())).isEqualTo("x");
    assertThat(type.decode(resource.toByteString(), SERVER))
        .isInstanceOf(Decoded.Valid.class)
        .extracting(Decoded::name)
        .isEqualTo("x");
  }

  @Test
  void loadsGoToTheServerThatSentTheCluster() {
    Cluster cluster =
        Resources.read("{\"lrs_server\": {\"self\": {}}}", Resources.edsCluster("c").toBuilder())
            .build();
    for (ServerConfig server : List.of(SERVER, ServerConfig.insecure("fallback"))) {
      assertThat(TYPES.cluster().decode(cluster.toByteString(), server))
          .isInstanceOfSatisfying(
              Decoded.Valid.class,
              valid ->
                  assertThat(valid.value()).extracting("loadReporting.server").isEqualTo(server));
    }
  }

  @Test
  void whetherAServerIsTrustedIsTheServersOwn() {
    RouteConfiguration.Builder routes = Resources.routesTo("r", "c").toBuilder();
    routes
        .getVirtualHostsBuilder(0)
        .getRoutesBuilder(0)
        .getRouteBuilder()
        .getAutoHostRewriteBuilder()
        .setValue(true);
    ServerConfig trusted = ServerConfig.insecure("xds:1", ServerFeature.TRUSTED_XDS_SERVER);

    assertThat(decode(TYPES, routes, SERVER)).isNotEqualTo(decode(TYPES, routes, trusted));
  }

  @Test
  void theEnvironmentCanSwitchRetriesOff() {
    RouteConfiguration.Builder routes = Resources.routesTo("r", "c").toBuilder();
    routes
        .getVirtualHostsBuilder(0)
        .getRoutesBuilder(0)
        .getRouteBuilder()
        .getRetryPolicyBuilder()
        .setRetryOn("unavailable");
    XdsBootstrap bootstrap = XdsBootstrap.builder().server(SERVER).build();
    XdsTypes on = XdsTypes.of(bootstrap, Map.of());
    XdsTypes off = XdsTypes.of(bootstrap, Map.of("GRPC_XDS_EXPERIMENTAL_ENABLE_RETRY", "false"));

    assertThat(decode(on, routes, SERVER)).isNotEqualTo(decode(off, routes, SERVER));
  }

  @Test
  void theEnvironmentCanSwitchPerTryTimeoutsOn() {
    RouteConfiguration.Builder routes = Resources.routesTo("r", "c").toBuilder();
    routes
        .getVirtualHostsBuilder(0)
        .getRoutesBuilder(0)
        .getRouteBuilder()
        .getRetryPolicyBuilder()
        .setRetryOn("unavailable")
        .getPerTryTimeoutBuilder()
        .setSeconds(1);
    XdsBootstrap bootstrap = XdsBootstrap.builder().server(SERVER).build();
    XdsTypes off = XdsTypes.of(bootstrap, Map.of("HOLDFAST_GRPC_PER_TRY_TIMEOUT", "yes"));
    XdsTypes on = XdsTypes.of(bootstrap, Map.of("HOLDFAST_GRPC_PER_TRY_TIMEOUT", "True"));

    assertThat(decode(off, routes, SERVER)).isEqualTo(decode(TYPES, routes, SERVER));
    assertThat(decode(on, routes, SERVER)).isNotEqualTo(decode(off, routes, SERVER));
  }

  private static Object decode(
      XdsTypes types, RouteConfiguration.Builder routes, ServerConfig server) {
    return types
        .routeConfiguration()
        .decode(routes.build().toByteString(), server)
        .fold(
            Decoded.Valid::value,
            invalid -> {
              throw new AssertionError(invalid.problems());
            });
  }
}
