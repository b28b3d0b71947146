// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import com.google.protobuf.Any;
import com.google.protobuf.BoolValue;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Struct;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.core.v3.Address;
import io.envoyproxy.envoy.config.core.v3.SocketAddress;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.endpoint.v3.Endpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LbEndpoint;
import io.envoyproxy.envoy.config.endpoint.v3.LocalityLbEndpoints;
import io.envoyproxy.envoy.config.listener.v3.FilterChain;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resources for scouts. A scout is a real proxy, and whatever is sent through it, by filters,
 * health checks or probes, must reach no backend; nor may it take connections from anybody who is
 * served.
 *
 * <ul>
 *   <li>A cluster that names its endpoints, or looks them up, leads to the sink, or to nothing.
 *   <li>Endpoints are the sink, once, if there are any.
 *   <li>A cluster with TLS keeps its settings, so that the proxy validates them; a transport socket
 *       without TLS is matched before, so that the sink needs no certificate.
 *   <li>A listener is bound to a loopback address of its own, and to a free port. It asks clients
 *       for certificates as elsewhere, and takes those that have none: nobody but a prober
 *       connects.
 * </ul>
 *
 * <p>A resource that differs has the version of the original and a suffix, so that what a scout
 * says of it can be told of the original.
 */
final class ScoutResources {
  /** A message without fields. */
  private static final String RAW_BUFFER =
      "type.googleapis.com/envoy.extensions.transport_sockets.raw_buffer.v3.RawBuffer";

  private static final Cluster.TransportSocketMatch WITHOUT_TLS =
      Cluster.TransportSocketMatch.newBuilder()
          .setName("holdfast/sink")
          .setMatch(Struct.getDefaultInstance())
          .setTransportSocket(
              TransportSocket.newBuilder()
                  .setName("envoy.transport_sockets.raw_buffer")
                  .setTypedConfig(Any.newBuilder().setTypeUrl(RAW_BUFFER)))
          .build();

  private final @Nullable LocalityLbEndpoints sink;
  private final String suffix;

  ScoutResources(ScoutSettings settings) {
    InetSocketAddress address = settings.sink();
    this.sink = address == null ? null : sink(address);
    this.suffix = ScoutView.suffix(settings);
  }

  private static LocalityLbEndpoints sink(InetSocketAddress address) {
    return LocalityLbEndpoints.newBuilder()
        .addLbEndpoints(
            LbEndpoint.newBuilder()
                .setEndpoint(
                    Endpoint.newBuilder()
                        .setAddress(
                            address(address.getAddress().getHostAddress(), address.getPort()))))
        .build();
  }

  private static Address address(String host, int port) {
    return Address.newBuilder()
        .setSocketAddress(SocketAddress.newBuilder().setAddress(host).setPortValue(port))
        .build();
  }

  /** What a scout gets in place of a resource: itself if nothing has to differ. */
  Resource of(Resource original) {
    try {
      return switch (original.id().type()) {
        case CLUSTER -> cluster(original);
        case ENDPOINTS -> endpoints(original);
        case LISTENER -> listener(original);
        case ROUTES, VIRTUAL_HOST, SECRET, EXTENSION -> original;
      };
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(original + " is not what it is named after", e);
    }
  }

  /** The version of the resource that a scout gets something else for. */
  String originalVersion(String version) {
    return version.endsWith(suffix)
        ? version.substring(0, version.length() - suffix.length())
        : version;
  }

  private Resource cluster(Resource original) throws InvalidProtocolBufferException {
    Cluster before = Cluster.parseFrom(original.body());
    Cluster.Builder cluster = before.toBuilder();
    if (before.hasTransportSocket() || before.getTransportSocketMatchesCount() > 0) {
      cluster.addTransportSocketMatches(0, WITHOUT_TLS);
    }
    if (!before.hasType() || before.getType() != Cluster.DiscoveryType.EDS) {
      leadToSink(cluster, before);
    }
    return with(original, before, cluster.build());
  }

  private void leadToSink(Cluster.Builder cluster, Cluster before) {
    boolean looksUpNames =
        before.hasType()
            && (before.getType() == Cluster.DiscoveryType.STRICT_DNS
                || before.getType() == Cluster.DiscoveryType.LOGICAL_DNS);
    if (sink == null || !looksUpNames) {
      // Neither looks up a name nor goes to where a request says; both might be a backend.
      cluster.setType(Cluster.DiscoveryType.STATIC);
    }
    ClusterLoadAssignment.Builder endpoints =
        ClusterLoadAssignment.newBuilder().setClusterName(before.getName());
    if (sink != null) {
      endpoints.addEndpoints(sink);
    }
    cluster.setLoadAssignment(endpoints);
  }

  private Resource endpoints(Resource original) throws InvalidProtocolBufferException {
    ClusterLoadAssignment before = ClusterLoadAssignment.parseFrom(original.body());
    ClusterLoadAssignment.Builder endpoints =
        before.toBuilder().clearEndpoints().clearNamedEndpoints();
    boolean isEmpty =
        before.getEndpointsList().stream().allMatch(each -> each.getLbEndpointsCount() == 0);
    if (sink != null && !isEmpty) {
      endpoints.addEndpoints(sink);
    }
    ByteString body = Digests.serialise(endpoints.build());
    // The same whichever the backends are: a scout is not sent their comings and goings.
    return with(original, body, Digests.of(body) + suffix);
  }

  private Resource listener(Resource original) throws InvalidProtocolBufferException {
    Listener before = Listener.parseFrom(original.body());
    if (!before.hasAddress()) {
      return original; // that of a client
    }
    Listener.Builder listener =
        before.toBuilder()
            .setAddress(address(loopback(original.name()), 0))
            .clearAdditionalAddresses();
    for (FilterChain.Builder chain : listener.getFilterChainsBuilderList()) {
      requireNoCertificate(chain);
    }
    if (listener.hasDefaultFilterChain()) {
      requireNoCertificate(listener.getDefaultFilterChainBuilder());
    }
    return with(original, before, listener.build());
  }

  private static void requireNoCertificate(FilterChain.Builder chain)
      throws InvalidProtocolBufferException {
    Any socket = chain.getTransportSocket().getTypedConfig();
    if (socket.is(DownstreamTlsContext.class)) {
      DownstreamTlsContext tls = socket.unpack(DownstreamTlsContext.class);
      if (tls.getRequireClientCertificate().getValue()) {
        chain
            .getTransportSocketBuilder()
            .setTypedConfig(
                socket.toBuilder()
                    .setValue(
                        Digests.serialise(
                            tls.toBuilder()
                                .setRequireClientCertificate(BoolValue.of(false))
                                .build())));
      }
    }
  }

  /** To Envoy, two listeners on a free port of one address are one. */
  private static String loopback(String listener) {
    int number = Integer.parseInt(Digests.of(List.of(listener)).substring(0, 6), 16);
    return "127.%d.%d.%d"
        .formatted(1 + (number >> 16) % 254, (number >> 8) & 0xff, 1 + (number & 0xff) % 254);
  }

  private <M extends com.google.protobuf.Message> Resource with(
      Resource original, M before, M after) {
    return before.equals(after)
        ? original
        : with(original, Digests.serialise(after), original.version() + suffix);
  }

  private static Resource with(Resource original, ByteString body, String version) {
    return new Resource(
        original.id(),
        version,
        body,
        original.audience(),
        original.contributions(),
        original.clusters(),
        original.filters(),
        original.provenance());
  }
}
