// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.base.SortedCopies;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.assemble.Fragment;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one host: its resources and fragments, and what it needs.
 *
 * @param plain its virtual host without TLS
 * @param chain its filter chain with TLS
 * @param fallback its virtual host for clients that name no host in TLS, or an unknown one
 * @param resources the resources that belong to this host alone
 * @param clusters the clusters that it needs, by name
 * @param filters the filters of policies that it enables somewhere
 * @param absenceReasons why resources that clients may ask for are absent
 * @param problems the problems found while planning, by object
 * @param members the objects that are part of the host
 */
public record HostPlan(
    @Nullable Fragment plain,
    @Nullable Fragment chain,
    @Nullable Fragment fallback,
    List<Resource> resources,
    SortedMap<String, ClusterDemand> clusters,
    SortedSet<SecretDemand> secrets,
    SortedSet<FilterUse> filters,
    SortedMap<ResourceId, String> absenceReasons,
    SortedMap<ObjectKey, List<ObjectProblem>> problems,
    SortedSet<ObjectKey> members) {

  /** The plan of a host that no object claims. */
  public static final HostPlan EMPTY = new Builder().build();

  /** Collects the contents of a plan. */
  static final class Builder {
    private @Nullable Fragment plain;
    private @Nullable Fragment chain;
    private @Nullable Fragment fallback;
    private final List<Resource> resources = new ArrayList<>();
    private final SortedMap<String, PlannedCluster> planned = new TreeMap<>();
    private final SortedMap<String, List<FieldOrigin>> origins = new TreeMap<>();
    private final SortedSet<SecretDemand> secrets = new TreeSet<>();
    private final SortedSet<FilterUse> filters = new TreeSet<>();
    private final SortedMap<ResourceId, String> absenceReasons = new TreeMap<>();
    private final SortedMap<ObjectKey, List<ObjectProblem>> problems = new TreeMap<>();
    private final SortedSet<ObjectKey> members = new TreeSet<>();

    void plain(Fragment fragment) {
      plain = fragment;
    }

    void chain(Fragment fragment) {
      chain = fragment;
    }

    void fallback(Fragment fragment) {
      fallback = fragment;
    }

    void addResource(Resource resource) {
      resources.add(resource);
    }

    /** Adds the virtual host without TLS, if there is one, as a resource of its own. */
    void addPlainHost(String host) {
      if (plain != null) {
        addResource(PlainHost.of(host, plain));
      }
    }

    void require(PlannedCluster cluster, FieldOrigin origin) {
      planned.put(cluster.name(), cluster);
      List<FieldOrigin> all = origins.computeIfAbsent(cluster.name(), unused -> new ArrayList<>());
      if (!all.contains(origin)) {
        all.add(origin);
      }
    }

    void require(SecretDemand secret) {
      secrets.add(secret);
    }

    void require(FilterUse filter) {
      filters.add(filter);
    }

    /** The filters needed so far. */
    SortedSet<FilterUse> filters() {
      return filters;
    }

    void addAbsenceReason(ResourceId id, String reason) {
      absenceReasons.put(id, reason);
    }

    void addProblem(ObjectKey object, ObjectProblem problem) {
      List<ObjectProblem> all = problems.computeIfAbsent(object, unused -> new ArrayList<>());
      if (!all.contains(problem)) {
        all.add(problem);
      }
    }

    void addMember(ObjectKey object) {
      members.add(object);
    }

    HostPlan build() {
      SortedMap<String, ClusterDemand> clusters = new TreeMap<>();
      planned.forEach(
          (name, spec) ->
              clusters.put(name, new ClusterDemand(spec, origins.getOrDefault(name, List.of()))));
      return new HostPlan(
          plain,
          chain,
          fallback,
          List.copyOf(resources),
          SortedCopies.of(clusters),
          SortedCopies.of(secrets),
          SortedCopies.of(filters),
          SortedCopies.of(absenceReasons),
          SortedCopies.of(problems),
          SortedCopies.of(members));
    }
  }
}
