// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.objects.httpproxy.Authorization;
import dev.holdfast.controlplane.objects.httpproxy.HttpProxy;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.PolicyFilter;
import dev.holdfast.controlplane.translate.check.References;
import dev.holdfast.controlplane.translate.host.ExtensionClusters;
import dev.holdfast.controlplane.translate.host.FilterUse;
import dev.holdfast.controlplane.translate.index.Derivations;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.index.MultiMap;
import dev.holdfast.controlplane.translate.index.RateLimitService;
import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.route.Authorizations;
import dev.holdfast.controlplane.translate.proto.route.GlobalRateLimits;
import io.envoyproxy.envoy.config.core.v3.TypedExtensionConfig;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stage that builds the filters that policies add to hosts.
 *
 * @param demanded by filter and host
 */
public record ExtensionStage(
    MultiMap<FilterUse, String, Boolean> demanded, Derivations<FilterUse, Resource> derived) {
  /** The stage without filters. */
  public static final ExtensionStage EMPTY =
      new ExtensionStage(MultiMap.empty(), Derivations.empty());

  ExtensionStage with(StageInput input, Demand<FilterUse, Boolean> demand) {
    SortedSet<FilterUse> uses = new TreeSet<>(derived.derivedFrom(input.changedFacts()));
    uses.addAll(demand.changed());
    if (uses.isEmpty()) {
      return this;
    }
    Derivations<FilterUse, Resource> next = derived;
    // Remove before adding: a filter may move to another index of its policy and keep its name.
    for (FilterUse use : uses) {
      if (demand.of(use).isEmpty()) {
        next = next.without(use);
        input.snapshot().retract(use.id());
      }
    }
    for (FilterUse use : uses) {
      if (!demand.of(use).isEmpty()) {
        next = next.derive(use, input.index(), reader -> build(use, reader));
        Resource resource = next.get(use);
        if (resource != null) {
          input.snapshot().publish(resource);
        }
      }
    }
    return new ExtensionStage(demand.demanded(), next);
  }

  /** The filter that has a service count requests. */
  private static @Nullable Resource rateLimit(
      FilterUse use, IndexedObject indexed, ExtensionService extension, FactReader reader) {
    RateLimitService service = reader.settings().rateLimit();
    if (service == null) {
      return null;
    }
    String cluster = ExtensionClusters.name(extension.key());
    var bytes =
        Digests.serialise(
            TypedExtensionConfig.newBuilder()
                .setName(use.name())
                .setTypedConfig(
                    Anys.of(
                        GlobalRateLimits.filter(
                            service,
                            cluster,
                            ExtensionClusters.authority(extension),
                            extension.timeouts().response())))
                .build());
    String version = Digests.of(bytes);
    FieldOrigin origin = new FieldOrigin(use.policy(), indexed.generation(), "spec");
    return new Resource(
        use.id(),
        version,
        bytes,
        Resource.Audience.ALL,
        PersistentMap.<ObjectKey, String>empty().with(use.policy(), version),
        PersistentMap.<String, String>empty().with(cluster, ""),
        () -> List.of(origin.of("")));
  }

  /** The filter that has a service decide about the requests of all hosts without one. */
  private static @Nullable Resource authorizationForAll(
      FilterUse use, IndexedObject indexed, ExtensionService extension, FactReader reader) {
    Authorization authorization = reader.settings().authorization();
    if (authorization == null) {
      return null;
    }
    String cluster = ExtensionClusters.name(extension.key());
    var bytes =
        Digests.serialise(
            TypedExtensionConfig.newBuilder()
                .setName(use.name())
                .setTypedConfig(
                    Anys.of(
                        Authorizations.filter(
                            authorization,
                            cluster,
                            ExtensionClusters.authority(extension),
                            extension.timeouts().response())))
                .build());
    String version = Digests.of(bytes);
    FieldOrigin origin = new FieldOrigin(use.policy(), indexed.generation(), "spec");
    return new Resource(
        use.id(),
        version,
        bytes,
        Resource.Audience.ALL,
        PersistentMap.<ObjectKey, String>empty().with(use.policy(), version),
        PersistentMap.<String, String>empty().with(cluster, ""),
        () -> List.of(origin.of("")));
  }

  /** The filter that has a service decide about the requests of a host. */
  private static @Nullable Resource authorization(
      FilterUse use, IndexedObject indexed, HttpProxy proxy, FactReader reader) {
    Authorization authorization =
        proxy.virtualHost() == null ? null : proxy.virtualHost().authorization();
    if (authorization == null) {
      return null;
    }
    ObjectKey key = References.extension(authorization, proxy.key().namespace());
    IndexedObject asked = reader.indexed(key);
    if (asked == null || !(asked.typed() instanceof ExtensionService extension)) {
      return null;
    }
    String cluster = ExtensionClusters.name(key);
    var bytes =
        Digests.serialise(
            TypedExtensionConfig.newBuilder()
                .setName(use.name())
                .setTypedConfig(
                    Anys.of(
                        Authorizations.filter(
                            authorization,
                            cluster,
                            ExtensionClusters.authority(extension),
                            extension.timeouts().response())))
                .build());
    String version = Digests.of(bytes);
    FieldOrigin origin =
        new FieldOrigin(use.policy(), indexed.generation(), "spec.virtualhost.authorization");
    FieldOrigin service = new FieldOrigin(key, asked.generation(), "spec");
    return new Resource(
        use.id(),
        version,
        bytes,
        Resource.Audience.ALL,
        PersistentMap.<ObjectKey, String>empty().with(use.policy(), version).with(key, version),
        PersistentMap.<String, String>empty().with(cluster, ""),
        () -> List.of(origin.of(""), service.of("")));
  }

  private static @Nullable Resource build(FilterUse use, FactReader reader) {
    IndexedObject indexed = reader.indexed(use.policy());
    if (indexed != null && indexed.typed() instanceof ExtensionService extension) {
      return use.typeUrl().equals(Authorizations.TYPE_URL)
          ? authorizationForAll(use, indexed, extension, reader)
          : rateLimit(use, indexed, extension, reader);
    }
    if (indexed != null && indexed.typed() instanceof HttpProxy proxy) {
      return authorization(use, indexed, proxy, reader);
    }
    if (indexed == null || !(indexed.typed() instanceof ExtensionPolicy policy)) {
      return null;
    }
    PolicyFilter filter = PolicyFilter.of(policy).get(use.index());
    var bytes =
        Digests.serialise(
            TypedExtensionConfig.newBuilder()
                .setName(use.name())
                .setTypedConfig(filter.config())
                .build());
    String version = Digests.of(bytes);
    FieldOrigin origin = new FieldOrigin(use.policy(), indexed.generation(), filter.field());
    return new Resource(
        use.id(),
        version,
        bytes,
        Resource.Audience.ALL,
        PersistentMap.<ObjectKey, String>empty().with(use.policy(), version),
        PersistentMap.empty(),
        () -> List.of(origin.of("")));
  }
}
