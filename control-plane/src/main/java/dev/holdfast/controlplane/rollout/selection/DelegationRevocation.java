// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.objects.DecodedObject;
import dev.holdfast.controlplane.objects.ObjectKind;
import dev.holdfast.controlplane.objects.secret.TlsCertificateDelegation;
import dev.holdfast.controlplane.objects.secret.TlsCertificateDelegation.Delegation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Certificate delegations that an edit takes back. A revocation applies at once, whatever is being
 * tried. A new delegation may create resources, and is tried like every other change.
 */
public final class DelegationRevocation {
  private static final String ALL_NAMESPACES = "*";

  private DelegationRevocation() {}

  /** Whether an object grants delegations. */
  public static boolean concerns(ConfigObject object) {
    return object.key().kind().equals(TlsCertificateDelegation.KIND);
  }

  /** What two generations both permit, with the older generation number; null if nothing. */
  public static @Nullable ConfigObject common(ConfigObject older, ConfigObject newer) {
    TlsCertificateDelegation before = decode(older);
    TlsCertificateDelegation after = decode(newer);
    if (before == null || after == null) {
      return null;
    }
    Position at = older.body().position();
    List<Value> kept = new ArrayList<>();
    for (Delegation delegation : before.delegations()) {
      SortedSet<String> namespaces = common(delegation, after);
      if (!namespaces.isEmpty()) {
        List<Value> targets = new ArrayList<>();
        namespaces.forEach(namespace -> targets.add(new Scalar(namespace, at)));
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("secretName", new Scalar(delegation.secretName(), at));
        fields.put("targetNamespaces", new Sequence(targets, at));
        kept.add(new Mapping(fields, at));
      }
    }
    if (kept.isEmpty()) {
      return null;
    }
    Mapping spec = new Mapping(Map.of("delegations", new Sequence(kept, at)), at);
    return new ConfigObject(
        older.key(),
        older.apiVersion(),
        older.uid(),
        older.generation(),
        older.created(),
        older.labels(),
        older.annotations(),
        new Mapping(Map.of("spec", spec), at));
  }

  private static SortedSet<String> common(Delegation before, TlsCertificateDelegation after) {
    SortedSet<String> namespaces = new TreeSet<>();
    for (Delegation delegation : after.delegations()) {
      if (delegation.secretName().equals(before.secretName())) {
        namespaces.addAll(delegation.targetNamespaces());
      }
    }
    if (before.targetNamespaces().contains(ALL_NAMESPACES)) {
      return namespaces;
    }
    if (namespaces.contains(ALL_NAMESPACES)) {
      return new TreeSet<>(before.targetNamespaces());
    }
    namespaces.retainAll(before.targetNamespaces());
    return namespaces;
  }

  private static @Nullable TlsCertificateDelegation decode(ConfigObject object) {
    return ObjectKind.decode(object) instanceof DecodedObject.Valid valid
            && valid.object() instanceof TlsCertificateDelegation delegation
        ? delegation
        : null;
  }
}
