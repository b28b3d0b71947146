// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.PolicyFilter;
import dev.holdfast.controlplane.translate.host.FilterUse;
import dev.holdfast.controlplane.translate.index.Derivations;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.index.MultiMap;
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

  private static @Nullable Resource build(FilterUse use, FactReader reader) {
    IndexedObject indexed = reader.indexed(use.policy());
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
