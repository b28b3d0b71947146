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

/** Changes on their way into an index, and which facts they are news of. Lives for one turn. */
public final class IndexChange {
  private final Index before;
  private PersistentMap<ObjectKey, IndexedObject> inputs;
  private MultiMap<String, ObjectKey, IndexedObject.Claim> claims;
  private MultiMap<ObjectKey, ObjectKey, List<String>> grants;
  private MultiMap<ObjectKey, ObjectKey, Boolean> slices;
  private MultiMap<ObjectKey, ObjectKey, Boolean> policies;
  private final SortedSet<Fact> news = new TreeSet<>();
  private final SortedSet<ObjectKey> objects = new TreeSet<>();
  private final SortedSet<String> hosts = new TreeSet<>();

  IndexChange(Index before) {
    this.before = before;
    this.inputs = before.inputs;
    this.claims = before.claims;
    this.grants = before.grants;
    this.slices = before.slices;
    this.policies = before.policies;
  }

  /** The index with the changes. */
  public Index index() {
    return before.replace(inputs, claims, grants, slices, policies);
  }

  /** The facts that are not what they were. */
  public SortedSet<Fact> news() {
    return Collections.unmodifiableSortedSet(news);
  }

  /** The objects that are not what they were, be it that they moved in their file. */
  public SortedSet<ObjectKey> objects() {
    return Collections.unmodifiableSortedSet(objects);
  }

  /** The hosts that somebody else wants to answer for. */
  public SortedSet<String> hosts() {
    return Collections.unmodifiableSortedSet(hosts);
  }

  void set(ObjectKey key, @Nullable IndexedObject after) {
    IndexedObject old = inputs.get(key);
    if (old == null ? after == null : after != null && old.object().equals(after.object())) {
      return;
    }
    objects.add(key);
    inputs = after == null ? inputs.without(key) : inputs.with(key, after);
    if (!saysTheSame(old, after)) {
      news.add(Fact.of(Fact.Kind.OBJECT, key));
    }
    if (key.kind().equals(Service.KIND) && !ServicePorts.of(old).equals(ServicePorts.of(after))) {
      news.add(Fact.of(Fact.Kind.PORTS, key));
    }
    if (key.kind().equals(Secret.KIND) && !SecretUse.of(old).equals(SecretUse.of(after))) {
      news.add(Fact.of(Fact.Kind.CERTIFICATE, key));
    }
    claims(key, old, after);
    grants(key, old, after);
    slices(key, old, after);
    policies(key, old, after);
  }

  static boolean saysTheSame(@Nullable IndexedObject old, @Nullable IndexedObject after) {
    return old != null
        && after != null
        && old.generation() == after.generation()
        && old.foreign() == after.foreign()
        && old.object().created().equals(after.object().created())
        && Objects.equals(old.typed(), after.typed());
  }

  private void claims(ObjectKey key, @Nullable IndexedObject old, @Nullable IndexedObject after) {
    SortedMap<String, IndexedObject.Claim> gone = old == null ? new TreeMap<>() : old.claims();
    SortedMap<String, IndexedObject.Claim> come = after == null ? new TreeMap<>() : after.claims();
    Set<String> all = new TreeSet<>(gone.keySet());
    all.addAll(come.keySet());
    for (String host : all) {
      IndexedObject.Claim claim = come.get(host);
      if (claim != gone.get(host)) {
        claims = claim == null ? claims.without(host, key) : claims.with(host, key, claim);
        news.add(new Fact(Fact.Kind.CLAIMS, host));
        hosts.add(host);
      }
    }
  }

  private void grants(ObjectKey key, @Nullable IndexedObject old, @Nullable IndexedObject after) {
    for (ObjectKey secret : grantsOf(old).keySet()) {
      grants = grants.without(secret, key);
      news.add(Fact.of(Fact.Kind.GRANTS, secret));
    }
    for (Map.Entry<ObjectKey, List<String>> grant : grantsOf(after).entrySet()) {
      grants = grants.with(grant.getKey(), key, grant.getValue());
      news.add(Fact.of(Fact.Kind.GRANTS, grant.getKey()));
    }
  }

  private static SortedMap<ObjectKey, List<String>> grantsOf(@Nullable IndexedObject input) {
    SortedMap<ObjectKey, List<String>> grants = new TreeMap<>();
    TypedObject typed = input == null ? null : input.typed();
    if (typed instanceof TlsCertificateDelegation delegation) {
      for (TlsCertificateDelegation.Delegation one : delegation.delegations()) {
        ObjectKey secret = new ObjectKey(Secret.KIND, typed.key().namespace(), one.secretName());
        List<String> earlier = grants.getOrDefault(secret, List.of());
        SortedSet<String> namespaces = new TreeSet<>(earlier);
        namespaces.addAll(one.targetNamespaces());
        grants.put(secret, List.copyOf(namespaces));
      }
    }
    return grants;
  }

  private void slices(ObjectKey key, @Nullable IndexedObject old, @Nullable IndexedObject after) {
    ObjectKey gone = serviceOf(old);
    ObjectKey come = serviceOf(after);
    if (gone != null && !gone.equals(come)) {
      slices = slices.without(gone, key);
      news.add(Fact.of(Fact.Kind.SLICES, gone));
    }
    if (come != null && !come.equals(gone)) {
      slices = slices.with(come, key, true);
      news.add(Fact.of(Fact.Kind.SLICES, come));
    }
  }

  private void policies(ObjectKey key, @Nullable IndexedObject old, @Nullable IndexedObject after) {
    ObjectKey gone = targetOf(old);
    ObjectKey come = targetOf(after);
    if (gone != null && !gone.equals(come)) {
      policies = policies.without(gone, key);
      news.add(Fact.of(Fact.Kind.POLICIES, gone));
    }
    if (come != null && !come.equals(gone)) {
      policies = policies.with(come, key, true);
      news.add(Fact.of(Fact.Kind.POLICIES, come));
    }
  }

  private static @Nullable ObjectKey targetOf(@Nullable IndexedObject input) {
    return input != null && input.typed() instanceof ExtensionPolicy policy
        ? policy.target().proxy()
        : null;
  }

  private static @Nullable ObjectKey serviceOf(@Nullable IndexedObject input) {
    return input != null && input.typed() instanceof EndpointSlice slice
        ? new ObjectKey(Service.KIND, slice.key().namespace(), slice.service())
        : null;
  }
}
