// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.objects.read.TypedObject;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.secret.TlsCertificateDelegation;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.objects.service.Service;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A change of an index in progress, with the facts that it changes. Used for one translation step.
 */
public final class IndexChange {
  private final Index before;
  private PersistentMap<ObjectKey, IndexedObject> objects;
  private MultiMap<String, ObjectKey, IndexedObject.Claim> claims;
  private MultiMap<ObjectKey, ObjectKey, List<String>> grants;
  private MultiMap<ObjectKey, ObjectKey, Boolean> slices;
  private MultiMap<ObjectKey, ObjectKey, Boolean> policies;
  private final SortedSet<Fact> changedFacts = new TreeSet<>();
  private final SortedSet<ObjectKey> changedObjects = new TreeSet<>();
  private final SortedSet<String> changedHosts = new TreeSet<>();

  IndexChange(Index before) {
    this.before = before;
    this.objects = before.objects;
    this.claims = before.claims;
    this.grants = before.grants;
    this.slices = before.slices;
    this.policies = before.policies;
  }

  /** The index after the changes. */
  public Index index() {
    return before.replace(objects, claims, grants, slices, policies);
  }

  /** The facts whose values changed. */
  public SortedSet<Fact> changedFacts() {
    return Collections.unmodifiableSortedSet(changedFacts);
  }

  /** The objects that changed in any way, even if only by their position in a file. */
  public SortedSet<ObjectKey> changedObjects() {
    return Collections.unmodifiableSortedSet(changedObjects);
  }

  /** The hosts whose claims changed. */
  public SortedSet<String> changedHosts() {
    return Collections.unmodifiableSortedSet(changedHosts);
  }

  void set(ObjectKey key, @Nullable IndexedObject after) {
    IndexedObject old = objects.get(key);
    if (old == null ? after == null : after != null && old.object().equals(after.object())) {
      return;
    }
    changedObjects.add(key);
    objects = after == null ? objects.without(key) : objects.with(key, after);
    if (!hasSameContent(old, after)) {
      changedFacts.add(Fact.of(Fact.Kind.OBJECT, key));
    }
    if (key.kind().equals(Service.KIND) && !ServicePorts.of(old).equals(ServicePorts.of(after))) {
      changedFacts.add(Fact.of(Fact.Kind.PORTS, key));
    }
    if (key.kind().equals(Secret.KIND) && !SecretUse.of(old).equals(SecretUse.of(after))) {
      changedFacts.add(Fact.of(Fact.Kind.SECRET_USE, key));
    }
    updateClaims(key, old, after);
    updateGrants(key, old, after);
    updateSlices(key, old, after);
    updatePolicies(key, old, after);
  }

  static boolean hasSameContent(@Nullable IndexedObject old, @Nullable IndexedObject after) {
    return old != null
        && after != null
        && old.generation() == after.generation()
        && old.foreign() == after.foreign()
        && old.object().created().equals(after.object().created())
        && Objects.equals(old.typed(), after.typed());
  }

  private void updateClaims(
      ObjectKey key, @Nullable IndexedObject old, @Nullable IndexedObject after) {
    SortedMap<String, IndexedObject.Claim> oldClaims = old == null ? new TreeMap<>() : old.claims();
    SortedMap<String, IndexedObject.Claim> newClaims =
        after == null ? new TreeMap<>() : after.claims();
    Set<String> hosts = new TreeSet<>(oldClaims.keySet());
    hosts.addAll(newClaims.keySet());
    for (String host : hosts) {
      IndexedObject.Claim claim = newClaims.get(host);
      if (claim != oldClaims.get(host)) {
        claims = claim == null ? claims.without(host, key) : claims.with(host, key, claim);
        changedFacts.add(new Fact(Fact.Kind.CLAIMS, host));
        changedHosts.add(host);
      }
    }
  }

  private void updateGrants(
      ObjectKey key, @Nullable IndexedObject old, @Nullable IndexedObject after) {
    for (ObjectKey secret : grantsOf(old).keySet()) {
      grants = grants.without(secret, key);
      changedFacts.add(Fact.of(Fact.Kind.GRANTS, secret));
    }
    for (Map.Entry<ObjectKey, List<String>> grant : grantsOf(after).entrySet()) {
      grants = grants.with(grant.getKey(), key, grant.getValue());
      changedFacts.add(Fact.of(Fact.Kind.GRANTS, grant.getKey()));
    }
  }

  private static SortedMap<ObjectKey, List<String>> grantsOf(@Nullable IndexedObject indexed) {
    SortedMap<ObjectKey, List<String>> grants = new TreeMap<>();
    TypedObject typed = indexed == null ? null : indexed.typed();
    if (typed instanceof TlsCertificateDelegation delegation) {
      for (TlsCertificateDelegation.Delegation entry : delegation.delegations()) {
        ObjectKey secret = new ObjectKey(Secret.KIND, typed.key().namespace(), entry.secretName());
        List<String> earlier = grants.getOrDefault(secret, List.of());
        SortedSet<String> namespaces = new TreeSet<>(earlier);
        namespaces.addAll(entry.targetNamespaces());
        grants.put(secret, List.copyOf(namespaces));
      }
    }
    return grants;
  }

  private void updateSlices(
      ObjectKey key, @Nullable IndexedObject old, @Nullable IndexedObject after) {
    ObjectKey oldService = serviceOf(old);
    ObjectKey newService = serviceOf(after);
    if (oldService != null && !oldService.equals(newService)) {
      slices = slices.without(oldService, key);
      changedFacts.add(Fact.of(Fact.Kind.SLICES, oldService));
    }
    if (newService != null && !newService.equals(oldService)) {
      slices = slices.with(newService, key, true);
      changedFacts.add(Fact.of(Fact.Kind.SLICES, newService));
    }
  }

  private void updatePolicies(
      ObjectKey key, @Nullable IndexedObject old, @Nullable IndexedObject after) {
    ObjectKey oldTarget = targetOf(old);
    ObjectKey newTarget = targetOf(after);
    if (oldTarget != null && !oldTarget.equals(newTarget)) {
      policies = policies.without(oldTarget, key);
      changedFacts.add(Fact.of(Fact.Kind.POLICIES, oldTarget));
    }
    if (newTarget != null && !newTarget.equals(oldTarget)) {
      policies = policies.with(newTarget, key, true);
      changedFacts.add(Fact.of(Fact.Kind.POLICIES, newTarget));
    }
  }

  private static @Nullable ObjectKey targetOf(@Nullable IndexedObject indexed) {
    return indexed != null && indexed.typed() instanceof ExtensionPolicy policy
        ? policy.target().proxy()
        : null;
  }

  private static @Nullable ObjectKey serviceOf(@Nullable IndexedObject indexed) {
    return indexed != null && indexed.typed() instanceof EndpointSlice slice
        ? new ObjectKey(Service.KIND, slice.key().namespace(), slice.service())
        : null;
  }
}
