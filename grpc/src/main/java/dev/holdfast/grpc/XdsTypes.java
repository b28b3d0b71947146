// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import dev.holdfast.xds.client.Completeness;
import dev.holdfast.xds.client.ResourceType;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.cluster.ClusterDecoder;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignmentDecoder;
import dev.holdfast.xds.resources.listener.Listener;
import dev.holdfast.xds.resources.listener.ListenerDecoder;
import dev.holdfast.xds.resources.route.RouteConfiguration;
import dev.holdfast.xds.resources.route.RouteConfigurationDecoder;
import java.util.Map;

/**
 * The resource types of a gRPC data plane. A client must be given the same instances for all of its
 * watches; types that decode alike may be shared by any number of clients.
 */
public final class XdsTypes {
  private final ResourceType<Listener> listener;
  private final ResourceType<RouteConfiguration> routeConfiguration;
  private final ResourceType<Cluster> cluster;
  private final ResourceType<ClusterLoadAssignment> clusterLoadAssignment;

  /** Types that decode with default options. */
  public XdsTypes() {
    this(DecodeOptions.defaults());
  }

  /**
   * Types that decode with these options, except that it is the sending server that decides whether
   * it is trusted.
   */
  public XdsTypes(DecodeOptions options) {
    listener =
        new DecodedType<>(
            ListenerDecoder.TYPE_URL, "LDS", Completeness.FULL, ListenerDecoder::decode, options);
    routeConfiguration =
        new DecodedType<>(
            RouteConfigurationDecoder.TYPE_URL,
            "RDS",
            Completeness.PARTIAL,
            RouteConfigurationDecoder::decode,
            options);
    cluster =
        new DecodedType<>(
            ClusterDecoder.TYPE_URL,
            "CDS",
            Completeness.FULL,
            ClusterDecoder::decode,
            Cluster::sentBy,
            options);
    clusterLoadAssignment =
        new DecodedType<>(
            ClusterLoadAssignmentDecoder.TYPE_URL,
            "EDS",
            Completeness.PARTIAL,
            ClusterLoadAssignmentDecoder::decode,
            options);
  }

  /**
   * Types that decode as a process with this bootstrap and environment should: certificate
   * providers must exist, and {@code GRPC_XDS_EXPERIMENTAL_ENABLE_RETRY=false} ignores retry
   * policies (gRFC A44), while {@code HOLDFAST_GRPC_PER_TRY_TIMEOUT=true} reads more of them.
   */
  public static XdsTypes of(XdsBootstrap bootstrap, Map<String, String> environment) {
    return new XdsTypes(options(bootstrap, environment));
  }

  /** The options of {@link #of}. */
  public static DecodeOptions options(XdsBootstrap bootstrap, Map<String, String> environment) {
    String retry = environment.getOrDefault("GRPC_XDS_EXPERIMENTAL_ENABLE_RETRY", "");
    String perTry = environment.getOrDefault("HOLDFAST_GRPC_PER_TRY_TIMEOUT", "");
    return DecodeOptions.defaults()
        .withCertificateProviders(bootstrap.certificateProviders().keySet())
        .withRetryEnabled(!retry.equalsIgnoreCase("false"))
        .withPerTryTimeout(perTry.equalsIgnoreCase("true"));
  }

  /** LDS. */
  public ResourceType<Listener> listener() {
    return listener;
  }

  /** RDS. */
  public ResourceType<RouteConfiguration> routeConfiguration() {
    return routeConfiguration;
  }

  /** CDS. */
  public ResourceType<Cluster> cluster() {
    return cluster;
  }

  /** EDS. */
  public ResourceType<ClusterLoadAssignment> clusterLoadAssignment() {
    return clusterLoadAssignment;
  }
}
