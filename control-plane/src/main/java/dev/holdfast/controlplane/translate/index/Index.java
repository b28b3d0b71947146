// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** An immutable index of all objects by key and by the references between them. */
public final class Index {
  final Settings settings;
  private final DecodingCache decodingCache;
  final PersistentMap<ObjectKey, IndexedObject> objects;

  /** The objects that claim a host. */
  final MultiMap<String, ObjectKey, IndexedObject.Claim> claims;

  /** The namespaces that may use a secret, by delegation. */
  final MultiMap<ObjectKey, ObjectKey, List<String>> grants;

  /** The endpoint slices of a service. */
  final MultiMap<ObjectKey, ObjectKey, Boolean> slices;

  /** The policies that target an object. */
  final MultiMap<ObjectKey, ObjectKey, Boolean> policies;

  Index(
      Settings settings,
      DecodingCache decodingCache,
      PersistentMap<ObjectKey, IndexedObject> objects,
      MultiMap<String, ObjectKey, IndexedObject.Claim> claims,
      MultiMap<ObjectKey, ObjectKey, List<String>> grants,
      MultiMap<ObjectKey, ObjectKey, Boolean> slices,
      MultiMap<ObjectKey, ObjectKey, Boolean> policies) {
    this.settings = settings;
    this.decodingCache = decodingCache;
    this.objects = objects;
    this.claims = claims;
    this.grants = grants;
    this.slices = slices;
    this.policies = policies;
  }

  /** An index without objects. */
  public static Index empty(Settings settings) {
    return new Index(
        settings,
        new DecodingCache(),
        PersistentMap.empty(),
        MultiMap.empty(),
        MultiMap.empty(),
        MultiMap.empty(),
        MultiMap.empty());
  }

  /** What the operator decides. */
  public Settings settings() {
    return settings;
  }

  /** The objects that claim a host. */
  public PersistentMap<ObjectKey, IndexedObject.Claim> claimsOf(String host) {
    return claims.get(host);
  }

  /** The policies that target an object. */
  public PersistentMap<ObjectKey, Boolean> policiesFor(ObjectKey target) {
    return policies.get(target);
  }

  /** All objects by key. */
  public PersistentMap<ObjectKey, IndexedObject> objects() {
    return objects;
  }

  /** Applies changes; a null value removes the object. */
  public IndexChange with(SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    IndexChange change = new IndexChange(this);
    for (Map.Entry<ObjectKey, @Nullable ConfigObject> entry : changes.entrySet()) {
      ConfigObject object = entry.getValue();
      change.set(entry.getKey(), object == null ? null : decodingCache.decode(object, settings));
    }
    return change;
  }

  Index replace(
      PersistentMap<ObjectKey, IndexedObject> newObjects,
      MultiMap<String, ObjectKey, IndexedObject.Claim> newClaims,
      MultiMap<ObjectKey, ObjectKey, List<String>> newGrants,
      MultiMap<ObjectKey, ObjectKey, Boolean> newSlices,
      MultiMap<ObjectKey, ObjectKey, Boolean> newPolicies) {
    return new Index(
        settings, decodingCache, newObjects, newClaims, newGrants, newSlices, newPolicies);
  }
}
