// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import com.google.protobuf.Any;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.Extension;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.ObjectProblem;
import dev.holdfast.controlplane.translate.check.PolicyFilter;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.route.FilterConfigs;
import io.envoyproxy.envoy.config.route.v3.FilterConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policies that apply to the proxies of one host. A policy for a whole root applies to its
 * virtual host, and so to included routes too. A policy for an included proxy, or for a single
 * route, applies to those routes. If two policies configure the same filter, the older one wins.
 */
final class HostPolicies {
  private static final String FILTERS = "type.googleapis.com/envoy.extensions.filters.http.";

  /** The packages of filters whose only purpose is to refuse requests. */
  private static final List<String> ACCESS_FILTERS =
      Stream.of("rbac.", "ext_authz.", "jwt_authn.", "basic_auth.", "api_key_auth.", "oauth2.")
          .map(FILTERS::concat)
          .toList();

  private final FactReader reader;
  private final HostPlan.Builder plan;
  private final Map<ObjectKey, List<IndexedObject>> policies = new HashMap<>();

  HostPolicies(FactReader reader, HostPlan.Builder plan) {
    this.reader = reader;
    this.plan = plan;
  }

  /** The filter configuration of the virtual host of a root. */
  FilterOverrides ofHost(ObjectKey root) {
    return overrides(root, null);
  }

  /** The filter configuration of a route. */
  FilterOverrides ofRoute(ObjectKey proxy, int route) {
    boolean root = isRoot(proxy);
    FilterOverrides ofProxy = root ? FilterOverrides.NONE : overrides(proxy, null);
    FilterOverrides ofRoute = overrides(proxy, route);
    if (ofProxy.isEmpty() || ofRoute.isEmpty()) {
      return ofProxy.isEmpty() ? ofRoute : ofProxy;
    }
    SortedMap<String, FilterOverrides.Part> merged = new TreeMap<>(ofProxy.parts());
    merged.putAll(ofRoute.parts());
    return new FilterOverrides(merged);
  }

  /** A policy that applies to a route, directly or through its host; null if there is none. */
  @Nullable ObjectKey first(ObjectKey root, ObjectKey proxy, int route) {
    for (ExtensionPolicy policy : applying(root, proxy, route)) {
      return policy.key();
    }
    return null;
  }

  /** A filter that keeps callers out of a route, and its policy; null if there is none. */
  @Nullable String accessFilter(ObjectKey root, ObjectKey proxy, int route) {
    for (ExtensionPolicy policy : applying(root, proxy, route)) {
      for (Extension extension :
          Stream.concat(policy.httpFilters().stream(), policy.perRoute().stream()).toList()) {
        if (ACCESS_FILTERS.stream().anyMatch(extension.config().getTypeUrl()::startsWith)) {
          return extension.name() + " of " + policy.key();
        }
      }
    }
    return null;
  }

  private List<ExtensionPolicy> applying(ObjectKey root, ObjectKey proxy, int route) {
    List<ExtensionPolicy> all = new ArrayList<>();
    for (ObjectKey target : new TreeSet<>(List.of(root, proxy))) {
      for (IndexedObject indexed : policies.computeIfAbsent(target, this::byAge)) {
        if (indexed.typed() instanceof ExtensionPolicy policy) {
          Integer only = policy.target().route();
          if (only == null || (target.equals(proxy) && only == route)) {
            all.add(policy);
          }
        }
      }
    }
    return all;
  }

  private boolean isRoot(ObjectKey proxy) {
    HttpProxy object = reader.object(proxy, HttpProxy.class);
    return object != null && object.virtualHost() != null;
  }

  private FilterOverrides overrides(ObjectKey proxy, @Nullable Integer route) {
    SortedMap<String, FilterOverrides.Part> parts = new TreeMap<>();
    for (IndexedObject indexed : policies.computeIfAbsent(proxy, this::byAge)) {
      if (indexed.typed() instanceof ExtensionPolicy policy
          && Objects.equals(policy.target().route(), route)) {
        plan.addMember(policy.key());
        addOwnFilters(indexed, policy, parts);
        addPerRoute(indexed, policy, parts);
      }
    }
    return parts.isEmpty() ? FilterOverrides.NONE : new FilterOverrides(parts);
  }

  private List<IndexedObject> byAge(ObjectKey proxy) {
    List<IndexedObject> sorted = new ArrayList<>();
    for (ObjectKey key : reader.policies(proxy)) {
      IndexedObject indexed = reader.indexed(key);
      if (indexed != null) {
        sorted.add(indexed);
      }
    }
    sorted.sort(
        Comparator.comparing((IndexedObject indexed) -> indexed.object().created())
            .thenComparing(indexed -> indexed.object().key()));
    return sorted;
  }

  /** Enables the policy's own filters, with its per-route configuration for them. */
  private void addOwnFilters(
      IndexedObject indexed,
      ExtensionPolicy policy,
      SortedMap<String, FilterOverrides.Part> parts) {
    List<PolicyFilter> filters = PolicyFilter.of(policy);
    for (int i = 0; i < filters.size(); i++) {
      PolicyFilter filter = filters.get(i);
      FilterUse use = FilterUse.of(policy.key(), i, filter);
      plan.require(use);
      Any enabled =
          filter.perRoute() == null
              ? FilterConfigs.ENABLED
              : Anys.of(FilterConfig.newBuilder().setConfig(filter.perRoute()).build());
      parts.put(
          use.name(),
          new FilterOverrides.Part(
              origin(indexed, filter.field()),
              enabled,
              use.otherNames(filter.name()),
              /* required= */ true));
    }
  }

  /** Adds the policy's per-route configuration of filters that are not its own. */
  private void addPerRoute(
      IndexedObject indexed,
      ExtensionPolicy policy,
      SortedMap<String, FilterOverrides.Part> parts) {
    Set<String> own =
        PolicyFilter.of(policy).stream().map(PolicyFilter::name).collect(Collectors.toSet());
    for (int i = 0; i < policy.perRoute().size(); i++) {
      Extension perRoute = policy.perRoute().get(i);
      if (own.contains(perRoute.name())) {
        continue;
      }
      String field = "spec.perRoute[" + i + "]";
      FilterOverrides.Part part =
          new FilterOverrides.Part(
              origin(indexed, field), perRoute.config(), List.of(), /* required= */ false);
      FilterOverrides.Part first = parts.putIfAbsent(perRoute.name(), part);
      if (first != null) {
        plan.addProblem(
            policy.key(),
            ObjectProblem.conflict(
                field,
                perRoute.name()
                    + " is configured differently by "
                    + first.origin().object()
                    + ", which is older (expected: one policy per filter and target)"));
      }
    }
  }

  private static FieldOrigin origin(IndexedObject indexed, String field) {
    return new FieldOrigin(indexed.object().key(), indexed.generation(), field);
  }
}
