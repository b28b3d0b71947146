// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import dev.holdfast.xds.resources.cluster.Discovery;
import dev.holdfast.xds.resources.endpoint.ClusterLoadAssignment;
import dev.holdfast.xds.resources.endpoint.Endpoint;
import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints that DNS knows: one, with all the addresses (gRFC A37). A lookup that fails after one
 * that worked leaves the addresses in use, and is told as what control planes report in such a
 * case.
 */
final class DnsMembers implements MemberSource {
  private static final Locality NOWHERE = new Locality("", "", "");

  private final String cluster;
  private final String hostAndPort;
  private final Dependencies dependencies;
  private final Runnable onChange;
  private final HostResolver.Lookup lookup;
  private List<InetSocketAddress> addresses = List.of();
  private @Nullable StatusOr<ClusterLoadAssignment> assignment;
  private @Nullable AmbientError ambient;
  private boolean closed;

  DnsMembers(
      Dependencies dependencies,
      String cluster,
      Discovery.LogicalDns discovery,
      Runnable onChange) {
    this.cluster = cluster;
    this.hostAndPort = discovery.hostAndPort();
    this.dependencies = dependencies;
    this.onChange = onChange;
    lookup =
        dependencies
            .hosts()
            .resolve(
                literal(discovery), result -> dependencies.loop().execute(() -> onResult(result)));
  }

  private static String literal(Discovery.LogicalDns discovery) {
    boolean bare6 = discovery.host().indexOf(':') >= 0 && !discovery.host().startsWith("[");
    return bare6 ? "[" + discovery.host() + "]:" + discovery.port() : discovery.hostAndPort();
  }

  private void onResult(StatusOr<List<InetSocketAddress>> result) {
    if (closed) {
      return;
    }
    if (result.hasValue() && !result.getValue().isEmpty()) {
      boolean known = assignment != null && assignment.hasValue();
      if (!known || !result.getValue().equals(addresses)) {
        addresses = List.copyOf(result.getValue());
        assignment = StatusOr.fromValue(assignment(addresses));
      }
      ambient = null;
    } else {
      AmbientError failure = failure(result.getStatus());
      if (assignment != null && assignment.hasValue()) {
        ambient = failure;
      } else {
        assignment =
            StatusOr.fromStatus(
                dependencies
                    .texts()
                    .unavailable(failure.subject() + ": " + failure.reason())
                    .withCause(result.getStatus().getCause()));
      }
    }
    onChange.run();
  }

  private ClusterLoadAssignment assignment(List<InetSocketAddress> addresses) {
    Endpoint endpoint = new Endpoint(addresses, 1, hostAndPort);
    return new ClusterLoadAssignment(
        cluster, List.of(new LocalityEndpoints(NOWHERE, 0, 1, List.of(endpoint))), List.of());
  }

  private AmbientError failure(Status status) {
    String subject = "DNS name " + hostAndPort + " of cluster " + cluster;
    if (status.isOk()) {
      return new AmbientError(subject, "no addresses");
    }
    String text = status.getDescription();
    return new AmbientError(subject, text == null ? status.getCode().name() : text);
  }

  @Override
  public @Nullable StatusOr<ClusterLoadAssignment> assignment() {
    return assignment;
  }

  @Override
  public @Nullable AmbientError ambient() {
    return ambient;
  }

  @Override
  public void refresh() {
    lookup.refresh();
  }

  @Override
  public void close(@Nullable Class<? extends MemberSource> successor) {
    closed = true;
    lookup.close();
  }
}
