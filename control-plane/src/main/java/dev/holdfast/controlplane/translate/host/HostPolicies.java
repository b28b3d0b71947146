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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The policies of one host's proxies. What is attached to a root as a whole is said of its virtual
 * host, and so of what it includes too; what is attached to another proxy, or to one route, is said
 * of these routes. Of two policies that speak to one filter, the older one counts.
 */
final class HostPolicies {
  private final FactReader reader;
  private final HostPlan.Builder plan;
  private final Map<ObjectKey, List<IndexedObject>> policies = new HashMap<>();

  HostPolicies(FactReader reader, HostPlan.Builder plan) {
    this.reader = reader;
    this.plan = plan;
  }

  /** What is said of the virtual host of a root. */
  FilterOverrides ofHost(ObjectKey root) {
    return overlay(root, null);
  }

  /** What is said of a route. */
  FilterOverrides ofRoute(ObjectKey proxy, int route) {
    boolean root = isRoot(proxy);
    FilterOverrides all = root ? FilterOverrides.NONE : overlay(proxy, null);
    FilterOverrides one = overlay(proxy, route);
    if (all.isEmpty() || one.isEmpty()) {
      return all.isEmpty() ? one : all;
    }
    SortedMap<String, FilterOverrides.Part> both = new TreeMap<>(all.parts());
    both.putAll(one.parts());
    return new FilterOverrides(both);
  }

  private boolean isRoot(ObjectKey proxy) {
    HttpProxy object = reader.object(proxy, HttpProxy.class);
    return object != null && object.virtualHost() != null;
  }

  private FilterOverrides overlay(ObjectKey proxy, @Nullable Integer route) {
    SortedMap<String, FilterOverrides.Part> parts = new TreeMap<>();
    for (IndexedObject input : policies.computeIfAbsent(proxy, this::byAge)) {
      if (input.typed() instanceof ExtensionPolicy policy
          && Objects.equals(policy.target().route(), route)) {
        plan.visit(policy.key());
        filters(input, policy, parts);
        perRoute(input, policy, parts);
      }
    }
    return parts.isEmpty() ? FilterOverrides.NONE : new FilterOverrides(parts);
  }

  private List<IndexedObject> byAge(ObjectKey proxy) {
    List<IndexedObject> inputs = new ArrayList<>();
    for (ObjectKey key : reader.policies(proxy)) {
      IndexedObject input = reader.input(key);
      if (input != null) {
        inputs.add(input);
      }
    }
    inputs.sort(
        Comparator.comparing((IndexedObject input) -> input.object().created())
            .thenComparing(input -> input.object().key()));
    return inputs;
  }

  /** Turns the policy's own filters on, with what it has to say to them here. */
  private void filters(
      IndexedObject input, ExtensionPolicy policy, SortedMap<String, FilterOverrides.Part> parts) {
    List<PolicyFilter> filters = PolicyFilter.of(policy);
    for (int i = 0; i < filters.size(); i++) {
      PolicyFilter filter = filters.get(i);
      String name = FilterUse.nameOf(policy.key(), filter.name());
      plan.needs(new FilterUse(policy.key(), i, name, filter.config().getTypeUrl()));
      Any enabled =
          filter.perRoute() == null
              ? FilterConfigs.ENABLED
              : Anys.of(FilterConfig.newBuilder().setConfig(filter.perRoute()).build());
      parts.put(name, new FilterOverrides.Part(origin(input, filter.field()), enabled));
    }
  }

  /** Says to the filters of others what the policy has to say to them. */
  private void perRoute(
      IndexedObject input, ExtensionPolicy policy, SortedMap<String, FilterOverrides.Part> parts) {
    Set<String> own =
        PolicyFilter.of(policy).stream().map(PolicyFilter::name).collect(Collectors.toSet());
    for (int i = 0; i < policy.perRoute().size(); i++) {
      Extension said = policy.perRoute().get(i);
      if (own.contains(said.name())) {
        continue;
      }
      String field = "spec.perRoute[" + i + "]";
      FilterOverrides.Part part = new FilterOverrides.Part(origin(input, field), said.config());
      FilterOverrides.Part first = parts.putIfAbsent(said.name(), part);
      if (first != null) {
        plan.remark(
            policy.key(),
            ObjectProblem.error(
                field,
                said.name()
                    + " is told something else by "
                    + first.origin().object()
                    + ", which is older (expected: one policy per filter and target)"));
      }
    }
  }

  private static FieldOrigin origin(IndexedObject input, String field) {
    return new FieldOrigin(input.object().key(), input.generation(), field);
  }
}
