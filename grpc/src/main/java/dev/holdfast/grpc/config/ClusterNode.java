// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.config;

import static java.util.Objects.requireNonNull;

import dev.holdfast.xds.resources.cluster.Cluster;
import dev.holdfast.xds.resources.cluster.Discovery;
import io.grpc.StatusOr;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One watched cluster and, unless it is an aggregate, its endpoints. Only used from the loop. */
final class ClusterNode {
  private final String name;
  private final Dependencies dependencies;
  private final Owner owner;
  private final Slot<Cluster> cluster;
  private @Nullable Discovery discovery;
  private @Nullable MemberSource members;
  private boolean answered;
  private @Nullable StatusOr<ClusterConfig> config;

  /** Is told of changes. */
  interface Owner {
    /** What this cluster looks like may be different. */
    void contentChanged(ClusterNode node);

    /** Whether a cluster is answered, or which are under it, is different. */
    void shapeChanged();
  }

  ClusterNode(String name, Dependencies dependencies, Owner owner) {
    this.name = name;
    this.dependencies = dependencies;
    this.owner = owner;
    cluster = new Slot<>(dependencies, dependencies.types().cluster(), name, this::clusterChanged);
  }

  String name() {
    return name;
  }

  /** Whether all is known that has to be known of this cluster itself: its contents or an error. */
  boolean answered() {
    return answered;
  }

  /** The clusters right under this one; none unless it is an aggregate. */
  List<String> children() {
    return discovery instanceof Discovery.Aggregate aggregate ? aggregate.clusters() : List.of();
  }

  boolean isAggregate() {
    return discovery instanceof Discovery.Aggregate;
  }

  void refresh() {
    if (members != null) {
      members.refresh();
    }
  }

  void close() {
    cluster.close();
    if (members != null) {
      members.close(null);
    }
  }

  private void clusterChanged() {
    Cluster value = cluster.value();
    Discovery wanted = value == null ? null : value.discovery();
    if (!Objects.equals(wanted, discovery)) {
      if (isAggregate() || wanted instanceof Discovery.Aggregate) {
        owner.shapeChanged();
      }
      discovery = wanted;
      if (members != null) {
        members.close(wanted instanceof Discovery.Eds ? EdsMembers.class : null);
      }
      members = wanted == null ? null : open(wanted);
    }
    changed();
  }

  private @Nullable MemberSource open(Discovery wanted) {
    return wanted.<@Nullable MemberSource>fold(
        eds -> new EdsMembers(dependencies, eds.serviceName(), this::changed),
        dns -> new DnsMembers(dependencies, name, dns, this::changed),
        aggregate -> null);
  }

  private void changed() {
    boolean now = cluster.answer() != null && (members == null || members.assignment() != null);
    if (now != answered) {
      answered = now;
      owner.shapeChanged();
    }
    owner.contentChanged(this);
  }

  /**
   * What calls to this cluster need to know; the very same as before if it is equal. Only if
   * answered.
   *
   * @param common what is amiss with the listener and the routes
   * @param leaves the clusters with endpoints under this one, or why there are none; only for an
   *     aggregate
   */
  StatusOr<ClusterConfig> config(
      List<AmbientError> common, @Nullable StatusOr<List<String>> leaves) {
    StatusOr<ClusterConfig> next = build(common, leaves);
    if (config == null || !same(config, next)) {
      config = next;
    }
    return config;
  }

  private StatusOr<ClusterConfig> build(
      List<AmbientError> common, @Nullable StatusOr<List<String>> leaves) {
    StatusOr<Cluster> answer = requireNonNull(cluster.answer());
    if (!answer.hasValue()) {
      return StatusOr.fromStatus(answer.getStatus());
    }
    if (leaves != null && !leaves.hasValue()) {
      return StatusOr.fromStatus(leaves.getStatus());
    }
    ClusterConfig.Members known =
        leaves != null
            ? new ClusterConfig.Aggregate(leaves.getValue())
            : new ClusterConfig.Endpoints(requireNonNull(requireNonNull(members).assignment()));
    return StatusOr.fromValue(new ClusterConfig(answer.getValue(), known, note(common)));
  }

  private String note(List<AmbientError> common) {
    List<AmbientError> all = new ArrayList<>(common);
    if (cluster.ambient() != null) {
      all.add(cluster.ambient());
    }
    AmbientError ofMembers = members == null ? null : members.ambient();
    if (ofMembers != null) {
      all.add(ofMembers);
    }
    return dependencies.texts().note(all);
  }

  /** Statuses are never equal but by identity; two that say the same are the same to calls. */
  private static boolean same(StatusOr<?> one, StatusOr<?> other) {
    return one.hasValue() == other.hasValue()
        && (one.hasValue()
            ? one.equals(other)
            : Objects.equals(one.getStatus().getDescription(), other.getStatus().getDescription()));
  }
}
