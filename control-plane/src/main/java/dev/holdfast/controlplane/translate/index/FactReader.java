// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads an index for one derivation and remembers what was read. */
public final class FactReader {
  private final Index index;
  private final SortedMap<Fact, Read> reads = new TreeMap<>();

  FactReader(Index index) {
    this.index = index;
  }

  /**
   * What was read, and how to read it again.
   *
   * @param value what it said; null if nothing
   */
  record Read(Function<Index, @Nullable Object> how, @Nullable Object value) {
    /** Whether another index says the same. */
    boolean holdsIn(Index other) {
      Object now = how.apply(other);
      if (now == value) {
        return true;
      }
      if (now instanceof IndexedObject is && value instanceof IndexedObject was) {
        return IndexChange.saysTheSame(was, is);
      }
      if (now instanceof PersistentMap<?, ?> is && value instanceof PersistentMap<?, ?> was) {
        return is.sameAs(was);
      }
      return now != null && now.equals(value);
    }
  }

  SortedMap<Fact, Read> reads() {
    return Collections.unmodifiableSortedMap(reads);
  }

  private <T> T read(Fact fact, Function<Index, T> how) {
    T value = how.apply(index);
    reads.put(fact, new Read(how::apply, value));
    return value;
  }

  /** An object as it was given; null if it is not there, or for others. */
  public @Nullable IndexedObject input(ObjectKey key) {
    @Nullable IndexedObject input = whole(key);
    return input == null || input.foreign() ? null : input;
  }

  private @Nullable IndexedObject whole(ObjectKey key) {
    return this.<@Nullable IndexedObject>read(
        Fact.of(Fact.Kind.OBJECT, key), from -> from.inputs.get(key));
  }

  /** What an object says; null if it is not there or not valid. */
  public <T extends TypedObject> @Nullable T object(ObjectKey key, Class<T> type) {
    IndexedObject input = input(key);
    return input != null && type.isInstance(input.typed()) ? type.cast(input.typed()) : null;
  }

  public Presence presence(ObjectKey key) {
    return Presence.of(whole(key));
  }

  public ServicePorts ports(ObjectKey service) {
    return read(
        Fact.of(Fact.Kind.PORTS, service), from -> ServicePorts.of(from.inputs.get(service)));
  }

  public SecretUse certificate(ObjectKey secret) {
    return read(
        Fact.of(Fact.Kind.CERTIFICATE, secret), from -> SecretUse.of(from.inputs.get(secret)));
  }

  /** Whether objects of a namespace may use a secret: their own, and those granted to them. */
  public boolean mayUse(String namespace, ObjectKey secret) {
    if (namespace.equals(secret.namespace())) {
      return true;
    }
    boolean[] granted = {false};
    read(Fact.of(Fact.Kind.GRANTS, secret), from -> from.grants.get(secret))
        .forEach(
            (delegation, targets) ->
                granted[0] |= targets.contains("*") || targets.contains(namespace));
    return granted[0];
  }

  /** Who wants to answer for a host. */
  public PersistentMap<ObjectKey, IndexedObject.Claim> claims(String host) {
    return read(new Fact(Fact.Kind.CLAIMS, host), from -> from.claims.get(host));
  }

  /** The endpoint slices of a service. */
  public List<ObjectKey> slices(ObjectKey service) {
    return keys(read(Fact.of(Fact.Kind.SLICES, service), from -> from.slices.get(service)));
  }

  /** The policies of a target. */
  public List<ObjectKey> policies(ObjectKey target) {
    return keys(read(Fact.of(Fact.Kind.POLICIES, target), from -> from.policies.get(target)));
  }

  private static List<ObjectKey> keys(PersistentMap<ObjectKey, Boolean> map) {
    List<ObjectKey> keys = new ArrayList<>(map.size());
    map.forEach((key, unused) -> keys.add(key));
    return keys;
  }
}
