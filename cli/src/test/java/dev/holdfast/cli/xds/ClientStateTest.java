// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.Timestamp;
import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.admin.v3.ClustersConfigDump;
import io.envoyproxy.envoy.admin.v3.ClustersConfigDump.DynamicCluster;
import io.envoyproxy.envoy.admin.v3.EndpointsConfigDump;
import io.envoyproxy.envoy.admin.v3.EndpointsConfigDump.DynamicEndpointConfig;
import io.envoyproxy.envoy.admin.v3.ListenersConfigDump;
import io.envoyproxy.envoy.admin.v3.ListenersConfigDump.DynamicListener;
import io.envoyproxy.envoy.admin.v3.ListenersConfigDump.DynamicListenerState;
import io.envoyproxy.envoy.admin.v3.RoutesConfigDump;
import io.envoyproxy.envoy.admin.v3.RoutesConfigDump.DynamicRouteConfig;
import io.envoyproxy.envoy.admin.v3.UpdateFailureState;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.envoyproxy.envoy.service.status.v3.ConfigStatus;
import io.envoyproxy.envoy.service.status.v3.PerXdsConfig;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What different servers put into CSDS. */
class ClientStateTest {
  private static final Timestamp TIME = Timestamp.newBuilder().setSeconds(1_000_000_000).build();

  @Test
  void aTypeWithoutAWordGoesByItsName() {
    GenericXdsConfig secret =
        GenericXdsConfig.newBuilder()
            .setTypeUrl("type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.Secret")
            .build();

    assertThat(entries(secret))
        .extracting(Entry::type)
        .containsExactly("envoy.extensions.transport_sockets.tls.v3.Secret");
  }

  @Test
  void aTypeUrlWithoutItsHostIsUnderstood() {
    GenericXdsConfig cluster =
        GenericXdsConfig.newBuilder().setTypeUrl("envoy.config.cluster.v3.Cluster").build();

    assertThat(entries(cluster)).extracting(Entry::type).containsExactly("cluster");
  }

  @Test
  void aControlPlaneThatReportsOnItsClientsSaysWhetherTheyAreInSync() {
    GenericXdsConfig stale =
        GenericXdsConfig.newBuilder().setConfigStatus(ConfigStatus.STALE).build();
    GenericXdsConfig synced =
        GenericXdsConfig.newBuilder()
            .setConfigStatus(ConfigStatus.SYNCED)
            .setXdsConfig(Any.pack(Cluster.getDefaultInstance()))
            .build();

    assertThat(entries(stale, synced)).extracting(Entry::state).containsExactly("STALE", "SYNCED");
    assertThat(entries(synced)).extracting(Entry::cacheState).containsExactly("synced");
  }

  @Test
  void aCodeAtTheBeginningOfTheErrorIsTheCode() {
    assertThat(problem("NOT_FOUND: deleted: by you"))
        .isEqualTo(new Entry.Problem("NOT_FOUND", "deleted: by you"));
    assertThat(problem("TIMEOUT: none of the codes"))
        .isEqualTo(new Entry.Problem(null, "TIMEOUT: none of the codes"));
    assertThat(problem("UNAVAILABLE")).isEqualTo(new Entry.Problem("UNAVAILABLE", ""));
    assertThat(problem("")).isEqualTo(new Entry.Problem(null, ""));
  }

  @Test
  void aTimeThatIsNoneIsLeftOut() {
    Timestamp yearOne = Timestamp.newBuilder().setSeconds(-62_135_596_800L).build();

    assertThat(entries(GenericXdsConfig.newBuilder().setLastUpdated(yearOne).build()))
        .extracting(Entry::updated)
        .containsOnlyNulls();
  }

  @Test
  @SuppressWarnings("deprecation")
  void theOldFormIsUnderstood() {
    UpdateFailureState failure = UpdateFailureState.newBuilder().setDetails("bad").build();
    ClientConfig client =
        ClientConfig.newBuilder()
            .addXdsConfig(
                PerXdsConfig.newBuilder()
                    .setListenerConfig(
                        ListenersConfigDump.newBuilder()
                            .addDynamicListeners(
                                DynamicListener.newBuilder()
                                    .setName("l")
                                    .setActiveState(
                                        DynamicListenerState.newBuilder()
                                            .setVersionInfo("1")
                                            .setLastUpdated(TIME)
                                            .setListener(
                                                Any.pack(
                                                    Listener.newBuilder().setName("l").build())))
                                    .setErrorState(failure)
                                    .setClientStatus(ClientResourceStatus.NACKED))
                            .addDynamicListeners(
                                DynamicListener.newBuilder()
                                    .setName("missing")
                                    .setClientStatus(ClientResourceStatus.DOES_NOT_EXIST))))
            .addXdsConfig(
                PerXdsConfig.newBuilder()
                    .setClusterConfig(
                        ClustersConfigDump.newBuilder()
                            .addDynamicActiveClusters(
                                DynamicCluster.newBuilder()
                                    .setVersionInfo("2")
                                    .setCluster(Any.pack(Cluster.newBuilder().setName("c").build()))
                                    .setClientStatus(ClientResourceStatus.ACKED))))
            .addXdsConfig(
                PerXdsConfig.newBuilder()
                    .setRouteConfig(
                        RoutesConfigDump.newBuilder()
                            .addDynamicRouteConfigs(
                                DynamicRouteConfig.newBuilder()
                                    .setRouteConfig(
                                        Any.pack(
                                            RouteConfiguration.newBuilder().setName("r").build()))
                                    .setClientStatus(ClientResourceStatus.ACKED))))
            .addXdsConfig(
                PerXdsConfig.newBuilder()
                    .setStatus(ConfigStatus.SYNCED)
                    .setEndpointConfig(
                        EndpointsConfigDump.newBuilder()
                            .addDynamicEndpointConfigs(
                                DynamicEndpointConfig.newBuilder()
                                    .setEndpointConfig(
                                        Any.pack(
                                            ClusterLoadAssignment.newBuilder()
                                                .setClusterName("e")
                                                .build())))))
            .build();

    assertThat(entries(client))
        .containsExactly(
            new Entry("cluster", "c", "ACKED", "acked", "2", true, null, null),
            new Entry("endpoint", "e", "SYNCED", "synced", null, true, null, null),
            new Entry(
                "listener",
                "l",
                "NACKED",
                "nacked_but_cached",
                "1",
                true,
                new Entry.Problem(null, "bad"),
                Instant.ofEpochSecond(1_000_000_000)),
            new Entry(
                "listener", "missing", "DOES_NOT_EXIST", "does_not_exist", null, false, null, null),
            new Entry("route", "r", "ACKED", "acked", null, true, null, null));
  }

  private static Entry.@Nullable Problem problem(String details) {
    UpdateFailureState failure = UpdateFailureState.newBuilder().setDetails(details).build();
    return entries(GenericXdsConfig.newBuilder().setErrorState(failure).build()).get(0).problem();
  }

  private static List<Entry> entries(GenericXdsConfig... configs) {
    return entries(ClientConfig.newBuilder().addAllGenericXdsConfigs(List.of(configs)).build());
  }

  private static List<Entry> entries(ClientConfig client) {
    return ClientState.of(ClientStatusResponse.newBuilder().addConfig(client).build())
        .get(0)
        .entries();
  }
}
