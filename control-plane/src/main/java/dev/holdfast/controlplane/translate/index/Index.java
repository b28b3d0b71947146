// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** All objects, by key and by what they say of others. Never changes. */
public final class Index {
  private final @Nullable String ingressClass;
  private final DecodingCache readings;
  final PersistentMap<ObjectKey, IndexedObject> inputs;

  /** Who wants to answer for a host. */
  final MultiMap<String, ObjectKey, IndexedObject.Claim> claims;

  /** The namespaces that each delegation lets use a secret. */
  final MultiMap<ObjectKey, ObjectKey, List<String>> grants;

  /** The endpoint slices of a service. */
  final MultiMap<ObjectKey, ObjectKey, Boolean> slices;

  /** The policies of a target. */
  final MultiMap<ObjectKey, ObjectKey, Boolean> policies;

  Index(
      @Nullable String ingressClass,
      DecodingCache readings,
      PersistentMap<ObjectKey, IndexedObject> inputs,
      MultiMap<String, ObjectKey, IndexedObject.Claim> claims,
      MultiMap<ObjectKey, ObjectKey, List<String>> grants,
      MultiMap<ObjectKey, ObjectKey, Boolean> slices,
      MultiMap<ObjectKey, ObjectKey, Boolean> policies) {
    this.ingressClass = ingressClass;
    this.readings = readings;
    this.inputs = inputs;
    this.claims = claims;
    this.grants = grants;
    this.slices = slices;
    this.policies = policies;
  }

  /**
   * No objects.
   *
   * @param ingressClass which objects are for us; null for those that are for anybody
   */
  public static Index empty(@Nullable String ingressClass) {
    return new Index(
        ingressClass,
        new DecodingCache(),
        PersistentMap.empty(),
        MultiMap.empty(),
        MultiMap.empty(),
        MultiMap.empty(),
        MultiMap.empty());
  }

  /** The objects that were given. */
  public PersistentMap<ObjectKey, IndexedObject> inputs() {
    return inputs;
  }

  /** Takes in changes; an object that is null is no more. */
  public IndexChange with(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    IndexChange change = new IndexChange(this);
    for (Map.Entry<ObjectKey, @Nullable ConfigObject> entry : changes.entrySet()) {
      ConfigObject object = entry.getValue();
      change.set(entry.getKey(), object == null ? null : readings.of(object, ingressClass));
    }
    return change;
  }

  Index replace(
      PersistentMap<ObjectKey, IndexedObject> newInputs,
      MultiMap<String, ObjectKey, IndexedObject.Claim> newClaims,
      MultiMap<ObjectKey, ObjectKey, List<String>> newGrants,
      MultiMap<ObjectKey, ObjectKey, Boolean> newSlices,
      MultiMap<ObjectKey, ObjectKey, Boolean> newPolicies) {
    return new Index(
        ingressClass, readings, newInputs, newClaims, newGrants, newSlices, newPolicies);
  }
}
