// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads an index for one derivation and remembers what was read. */
public final class Reader {
  private final Index index;
  private final SortedSet<Fact> reads = new TreeSet<>();

  Reader(Index index) {
    this.index = index;
  }

  SortedSet<Fact> reads() {
    return Collections.unmodifiableSortedSet(reads);
  }

  private @Nullable Input read(Fact.Kind kind, ObjectKey key) {
    reads.add(Fact.of(kind, key));
    return index.inputs.get(key);
  }

  /** An object as it was given; null if it is not there, or for others. */
  public @Nullable Input input(ObjectKey key) {
    Input input = read(Fact.Kind.OBJECT, key);
    return input == null || input.foreign() ? null : input;
  }

  /** What an object says; null if it is not there or not valid. */
  public <T extends TypedObject> @Nullable T object(ObjectKey key, Class<T> type) {
    Input input = input(key);
    return input != null && type.isInstance(input.typed()) ? type.cast(input.typed()) : null;
  }

  public Presence presence(ObjectKey key) {
    return Presence.of(read(Fact.Kind.OBJECT, key));
  }

  public ServicePorts ports(ObjectKey service) {
    return ServicePorts.of(read(Fact.Kind.PORTS, service));
  }

  public Certificate certificate(ObjectKey secret) {
    return Certificate.of(read(Fact.Kind.CERTIFICATE, secret));
  }

  /** Whether objects of a namespace may use a secret: their own, and those granted to them. */
  public boolean mayUse(String namespace, ObjectKey secret) {
    if (namespace.equals(secret.namespace())) {
      return true;
    }
    reads.add(Fact.of(Fact.Kind.GRANTS, secret));
    boolean[] granted = {false};
    index
        .grants
        .get(secret)
        .forEach(
            (delegation, targets) ->
                granted[0] |= targets.contains("*") || targets.contains(namespace));
    return granted[0];
  }

  /** Who wants to answer for a host. */
  public PersistentMap<ObjectKey, Input.Claim> claims(String host) {
    reads.add(new Fact(Fact.Kind.CLAIMS, host));
    return index.claims.get(host);
  }

  /** The endpoint slices of a service. */
  public List<ObjectKey> slices(ObjectKey service) {
    reads.add(Fact.of(Fact.Kind.SLICES, service));
    return keys(index.slices.get(service));
  }

  /** The policies of a target. */
  public List<ObjectKey> policies(ObjectKey target) {
    reads.add(Fact.of(Fact.Kind.POLICIES, target));
    return keys(index.policies.get(target));
  }

  private static List<ObjectKey> keys(PersistentMap<ObjectKey, Boolean> map) {
    List<ObjectKey> keys = new ArrayList<>(map.size());
    map.forEach((key, unused) -> keys.add(key));
    return keys;
  }
}
