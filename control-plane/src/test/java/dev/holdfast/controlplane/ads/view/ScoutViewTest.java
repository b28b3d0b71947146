// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.HealthCheck;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.listener.v3.AdditionalAddress;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What scouts are served leads to no backend, and takes no connection from anybody. */
class ScoutViewTest {
  private static final String BACKEND = "backend.example.com";

  private final ScoutView view = new ScoutView(ScoutSettings.NO_SINK);
  private final ScoutView sinking =
      new ScoutView(
          new ScoutSettings(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711)));

  private static Resource of(ResourceType type, String name, Message message) {
    ByteString body = Digests.serialise(message);
    return new Resource(
        new ResourceId(type, name),
        Digests.of(body),
        body,
        Resource.Audience.ALL,
        PersistentMap.empty(),
        PersistentMap.empty(),
        List::of);
  }

  private static ClusterLoadAssignment endpoints(String... hosts) {
    LocalityLbEndpoints.Builder locality = LocalityLbEndpoints.newBuilder();
    for (String host : hosts) {
      locality.addLbEndpoints(
          LbEndpoint.newBuilder()
              .setEndpoint(
                  Endpoint.newBuilder()
                      .setHostname(host)
                      .setHealthCheckConfig(
                          Endpoint.HealthCheckConfig.newBuilder().setAddress(address(host, 9)))
                      .setAddress(address(host, 80))));
    }
    return ClusterLoadAssignment.newBuilder().setClusterName("c").addEndpoints(locality).build();
  }

  private static Address address(String host, int port) {
    return Address.newBuilder()
        .setSocketAddress(SocketAddress.newBuilder().setAddress(host).setPortValue(port))
        .build();
  }

  private static Resource cluster(Cluster.DiscoveryType type) {
    return of(
        ResourceType.CLUSTER,
        "c",
        Cluster.newBuilder()
            .setName("c")
            .setType(type)
            .addHealthChecks(HealthCheck.getDefaultInstance())
            .setLoadAssignment(endpoints(BACKEND))
            .build());
  }

  private static Cluster read(Resource resource) throws Exception {
    return Cluster.parseFrom(resource.body());
  }

  @ParameterizedTest
  @EnumSource(
      value = Cluster.DiscoveryType.class,
      names = {"STATIC", "STRICT_DNS", "LOGICAL_DNS", "ORIGINAL_DST"})
  void aClusterThatNamesItsEndpointsLeadsToTheSinkOrNowhere(Cluster.DiscoveryType type)
      throws Exception {
    Cluster nowhere = read(view.of(cluster(type)));
    assertThat(nowhere.toString()).doesNotContain(BACKEND);
    assertThat(nowhere.getType()).isEqualTo(Cluster.DiscoveryType.STATIC);
    assertThat(nowhere.getLoadAssignment().getEndpointsList()).isEmpty();

    Cluster sunk = read(sinking.of(cluster(type)));
    assertThat(sunk.toString()).doesNotContain(BACKEND).contains("4711");
    assertThat(sunk.getHealthChecksCount()).isEqualTo(1);
    assertThat(sunk.getType())
        .isEqualTo(
            type == Cluster.DiscoveryType.ORIGINAL_DST ? Cluster.DiscoveryType.STATIC : type);
  }

  @Test
  void endpointsAreTheSinkOnce() throws Exception {
    Resource many = of(ResourceType.ENDPOINTS, "c", endpoints("10.0.0.1", "10.0.0.2"));
    Resource other = of(ResourceType.ENDPOINTS, "c", endpoints("10.0.0.3"));
    Resource none = of(ResourceType.ENDPOINTS, "c", endpoints());
    ClusterLoadAssignment sunk = ClusterLoadAssignment.parseFrom(sinking.of(many).body());
    assertThat(sunk.toString()).doesNotContain("10.0.0").contains("4711");
    assertThat(sunk.getEndpoints(0).getLbEndpointsCount()).isEqualTo(1);
    assertThat(sinking.of(many)).isEqualTo(sinking.of(other));
    assertThat(ClusterLoadAssignment.parseFrom(sinking.of(none).body()).getEndpointsList())
        .isEmpty();
    assertThat(ClusterLoadAssignment.parseFrom(view.of(many).body()).getEndpointsList()).isEmpty();
  }

  @Test
  void tlsIsValidatedAndNotUsed() throws Exception {
    TransportSocket tls = TransportSocket.newBuilder().setName("tls").build();
    Cluster before =
        Cluster.newBuilder()
            .setName("c")
            .setType(Cluster.DiscoveryType.EDS)
            .setTransportSocket(tls)
            .build();
    Cluster after = read(view.of(of(ResourceType.CLUSTER, "c", before)));
    assertThat(after.getTransportSocket()).isEqualTo(tls);
    assertThat(after.getTransportSocketMatches(0).getMatch().getFieldsMap()).isEmpty();
    assertThat(after.getTransportSocketMatches(0).getTransportSocket().getName())
        .isEqualTo("envoy.transport_sockets.raw_buffer");
  }

  @Test
  void listenersAreOnLoopbackEachOnItsOwn() throws Exception {
    Listener http = listener("http");
    Listener after = Listener.parseFrom(view.of(of(ResourceType.LISTENER, "http", http)).body());
    SocketAddress address = after.getAddress().getSocketAddress();
    assertThat(address.getAddress()).startsWith("127.");
    assertThat(address.getPortValue()).isZero();
    assertThat(after.getAdditionalAddressesList()).isEmpty();
    Listener other =
        Listener.parseFrom(view.of(of(ResourceType.LISTENER, "https", listener("https"))).body());
    assertThat(other.getAddress()).isNotEqualTo(after.getAddress());

    Resource api = of(ResourceType.LISTENER, "api", Listener.newBuilder().setName("api").build());
    assertThat(view.of(api)).isSameAs(api);
  }

  /** Whoever sends requests through a scout has no certificate that the host would take. */
  @Test
  void listenersTakeClientsWithoutCertificates() throws Exception {
    DownstreamTlsContext.Builder tls = DownstreamTlsContext.newBuilder();
    tls.getCommonTlsContextBuilder()
        .getCombinedValidationContextBuilder()
        .getValidationContextSdsSecretConfigBuilder()
        .setName("authority");
    DownstreamTlsContext required = tls.setRequireClientCertificate(BoolValue.of(true)).build();
    Listener https =
        listener("https").toBuilder()
            .addFilterChains(chain(required))
            .setDefaultFilterChain(chain(required))
            .build();

    Listener after = Listener.parseFrom(view.of(of(ResourceType.LISTENER, "https", https)).body());

    DownstreamTlsContext optional = tls.setRequireClientCertificate(BoolValue.of(false)).build();
    assertThat(after.getFilterChains(0)).isEqualTo(chain(optional));
    assertThat(after.getDefaultFilterChain()).isEqualTo(chain(optional));
  }

  private static FilterChain chain(DownstreamTlsContext tls) {
    return FilterChain.newBuilder()
        .setTransportSocket(
            TransportSocket.newBuilder().setName("tls").setTypedConfig(Any.pack(tls)))
        .build();
  }

  private static Listener listener(String name) {
    return Listener.newBuilder()
        .setName(name)
        .setAddress(address("0.0.0.0", 80))
        .addAdditionalAddresses(AdditionalAddress.newBuilder().setAddress(address("::", 80)))
        .build();
  }

  @Test
  void aVersionTellsOfWhatItWasMadeAndWithWhichSink() {
    Resource original = cluster(Cluster.DiscoveryType.STATIC);
    Resource shown = sinking.of(original);
    assertThat(shown).isNotEqualTo(original).isNotEqualTo(view.of(original));
    assertThat(sinking.original(shown)).isEqualTo(original);
    assertThat(sinking.original(original)).isSameAs(original);
  }

  @Test
  void whatNeedNotDifferIsTheSame() {
    Resource routes =
        of(ResourceType.ROUTES, "r", RouteConfiguration.newBuilder().setName("r").build());
    Resource eds =
        of(
            ResourceType.CLUSTER,
            "c",
            Cluster.newBuilder().setName("c").setType(Cluster.DiscoveryType.EDS).build());
    assertThat(view.of(routes)).isSameAs(routes);
    assertThat(view.of(eds)).isSameAs(eds);
  }

  @Test
  void aSnapshotIsTranslatedOnceAndTheNextByWhatDiffers() {
    ResourceId gone = new ResourceId(ResourceType.ROUTES, "gone");
    Snapshot one =
        Snapshot.empty()
            .with(cluster(Cluster.DiscoveryType.STATIC))
            .with(of(ResourceType.LISTENER, "http", listener("http")));
    Snapshot two = one.withAbsence(gone, "held");
    Snapshot shown = view.of(one);
    Snapshot next = view.of(two);
    assertThat(view.of(one)).isSameAs(shown);
    assertThat(view.of(two)).isSameAs(next);
    assertThat(requireNonNull(next.get(ResourceType.CLUSTER, "c")))
        .isSameAs(shown.get(ResourceType.CLUSTER, "c"));
    assertThat(next.absence(gone)).isEqualTo("held");

    Snapshot three = two.without(new ResourceId(ResourceType.CLUSTER, "c")).withoutAbsence(gone);
    assertThat(view.of(three).get(ResourceType.CLUSTER, "c")).isNull();
    assertThat(view.of(three).absence(gone)).isNull();
    assertThat(view.of(three).get(ResourceType.LISTENER, "http")).isNotNull();
  }

  @Test
  void aSinkIsAnAddress() {
    InetSocketAddress name = InetSocketAddress.createUnresolved("sink.example.com", 80);
    assertThatThrownBy(() -> new ScoutSettings(name)).hasMessageContaining("expected: an IP");
  }
}
