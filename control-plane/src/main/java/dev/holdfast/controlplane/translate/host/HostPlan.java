// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.assemble.Fragment;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one host becomes.
 *
 * @param plain its virtual host without TLS
 * @param chain its filter chain with TLS
 * @param own the resources that are of this host alone
 * @param clusters what it needs, by name
 * @param filters those of policies that it turns on somewhere
 * @param reasons why resources that somebody may expect are not there
 * @param remarks what to tell the authors of objects that have a part in it
 * @param visited the objects that have a part in it
 */
public record HostPlan(
    @Nullable Fragment plain,
    @Nullable Fragment chain,
    List<Resource> own,
    SortedMap<String, ClusterDemand> clusters,
    SortedSet<SecretDemand> secrets,
    SortedSet<FilterUse> filters,
    SortedMap<ResourceId, String> reasons,
    SortedMap<ObjectKey, List<ObjectProblem>> remarks,
    SortedSet<ObjectKey> visited) {

  /** Nobody answers for the host. */
  public static final HostPlan NONE = new Builder().build();

  /** A plan being made. */
  static final class Builder {
    private @Nullable Fragment plain;
    private @Nullable Fragment chain;
    private final List<Resource> own = new ArrayList<>();
    private final SortedMap<String, PlannedCluster> specs = new TreeMap<>();
    private final SortedMap<String, List<FieldOrigin>> askers = new TreeMap<>();
    private final SortedSet<SecretDemand> secrets = new TreeSet<>();
    private final SortedSet<FilterUse> filters = new TreeSet<>();
    private final SortedMap<ResourceId, String> reasons = new TreeMap<>();
    private final SortedMap<ObjectKey, List<ObjectProblem>> remarks = new TreeMap<>();
    private final SortedSet<ObjectKey> visited = new TreeSet<>();

    void plain(Fragment fragment) {
      plain = fragment;
    }

    void chain(Fragment fragment) {
      chain = fragment;
    }

    void own(Resource resource) {
      own.add(resource);
    }

    void needs(PlannedCluster cluster, FieldOrigin asker) {
      specs.put(cluster.name(), cluster);
      List<FieldOrigin> all = askers.computeIfAbsent(cluster.name(), unused -> new ArrayList<>());
      if (!all.contains(asker)) {
        all.add(asker);
      }
    }

    void needs(SecretDemand secret) {
      secrets.add(secret);
    }

    void needs(FilterUse filter) {
      filters.add(filter);
    }

    /** The filters that were asked for so far. */
    SortedSet<FilterUse> filters() {
      return filters;
    }

    void reason(ResourceId id, String reason) {
      reasons.put(id, reason);
    }

    void remark(ObjectKey object, ObjectProblem remark) {
      List<ObjectProblem> all = remarks.computeIfAbsent(object, unused -> new ArrayList<>());
      if (!all.contains(remark)) {
        all.add(remark);
      }
    }

    void visit(ObjectKey object) {
      visited.add(object);
    }

    HostPlan build() {
      SortedMap<String, ClusterDemand> clusters = new TreeMap<>();
      specs.forEach(
          (name, spec) ->
              clusters.put(name, new ClusterDemand(spec, askers.getOrDefault(name, List.of()))));
      return new HostPlan(
          plain,
          chain,
          List.copyOf(own),
          Collections.unmodifiableSortedMap(clusters),
          Collections.unmodifiableSortedSet(secrets),
          Collections.unmodifiableSortedSet(filters),
          Collections.unmodifiableSortedMap(reasons),
          Collections.unmodifiableSortedMap(remarks),
          Collections.unmodifiableSortedSet(visited));
    }
  }
}
