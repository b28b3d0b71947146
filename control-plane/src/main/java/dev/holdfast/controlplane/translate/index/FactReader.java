// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.index;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.base.SortedCopies;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.read.TypedObject;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads an index on behalf of one derivation and records the facts that were read. */
public final class FactReader {
  private final Index index;
  private final SortedMap<Fact, Read> reads = new TreeMap<>();

  FactReader(Index index) {
    this.index = index;
  }

  /**
   * A recorded read.
   *
   * @param lookup reads the same fact from any index
   * @param value the value that was read; null if there was none
   */
  record Read(Function<Index, @Nullable Object> lookup, @Nullable Object value) {
    /** Whether the fact has an equal value in another index. */
    boolean hasSameValueIn(Index other) {
      Object current = lookup.apply(other);
      if (current == value) {
        return true;
      }
      if (current instanceof IndexedObject is && value instanceof IndexedObject was) {
        return IndexChange.hasSameContent(was, is);
      }
      if (current instanceof PersistentMap<?, ?> is && value instanceof PersistentMap<?, ?> was) {
        return is.sameAs(was);
      }
      return current != null && current.equals(value);
    }
  }

  /** What the operator decides; it is the same in every index of a control plane. */
  public Settings settings() {
    return index.settings;
  }

  SortedMap<Fact, Read> reads() {
    return SortedCopies.of(reads);
  }

  private <T> T read(Fact fact, Function<Index, T> lookup) {
    T value = lookup.apply(index);
    reads.put(fact, new Read(lookup::apply, value));
    return value;
  }

  /** The indexed object; null if it is absent, or of another ingress class. */
  public @Nullable IndexedObject indexed(ObjectKey key) {
    @Nullable IndexedObject indexed = lookUp(key);
    return indexed == null || indexed.foreign() ? null : indexed;
  }

  private @Nullable IndexedObject lookUp(ObjectKey key) {
    return this.<@Nullable IndexedObject>read(
        Fact.of(Fact.Kind.OBJECT, key), from -> from.objects.get(key));
  }

  /** The typed object; null if it is absent or invalid. */
  public <T extends TypedObject> @Nullable T object(ObjectKey key, Class<T> type) {
    IndexedObject indexed = indexed(key);
    return indexed != null && type.isInstance(indexed.typed()) ? type.cast(indexed.typed()) : null;
  }

  public Presence presence(ObjectKey key) {
    return Presence.of(lookUp(key));
  }

  public ServicePorts ports(ObjectKey service) {
    return read(
        Fact.of(Fact.Kind.PORTS, service), from -> ServicePorts.of(from.objects.get(service)));
  }

  public SecretUse secretUse(ObjectKey secret) {
    return read(
        Fact.of(Fact.Kind.SECRET_USE, secret), from -> SecretUse.of(from.objects.get(secret)));
  }

  /**
   * Whether objects of a namespace may use a secret: those of the same namespace may, others need a
   * delegation.
   */
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

  /** The objects that claim a host. */
  public PersistentMap<ObjectKey, IndexedObject.Claim> claims(String host) {
    return read(new Fact(Fact.Kind.CLAIMS, host), from -> from.claims.get(host));
  }

  /** The endpoint slices of a service. */
  public List<ObjectKey> slices(ObjectKey service) {
    return keys(read(Fact.of(Fact.Kind.SLICES, service), from -> from.slices.get(service)));
  }

  /** The policies that target an object. */
  public List<ObjectKey> policies(ObjectKey target) {
    return keys(read(Fact.of(Fact.Kind.POLICIES, target), from -> from.policies.get(target)));
  }

  private static List<ObjectKey> keys(PersistentMap<ObjectKey, Boolean> map) {
    List<ObjectKey> keys = new ArrayList<>(map.size());
    map.forEach((key, unused) -> keys.add(key));
    return keys;
  }
}
