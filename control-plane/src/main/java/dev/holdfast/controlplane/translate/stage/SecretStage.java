// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import com.google.protobuf.Message;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.host.SecretDemand;
import dev.holdfast.controlplane.translate.host.SecretDemand.Use;
import dev.holdfast.controlplane.translate.index.Derivations;
import dev.holdfast.controlplane.translate.index.FactReader;
import dev.holdfast.controlplane.translate.index.IndexedObject;
import dev.holdfast.controlplane.translate.index.MultiMap;
import dev.holdfast.controlplane.translate.proto.Secrets;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stage that builds the secrets that hosts and clusters need. A secret that no object may use
 * is not built.
 *
 * @param demanded by secret and requester
 */
record SecretStage(
    MultiMap<SecretDemand, String, Boolean> demanded,
    Derivations<SecretDemand, Resource> derived,
    int work) {
  static final SecretStage EMPTY = new SecretStage(MultiMap.empty(), Derivations.empty(), 0);

  SecretStage with(StageInput input, Demand<SecretDemand, Boolean> demand) {
    SortedSet<SecretDemand> changed = new TreeSet<>(derived.derivedFrom(input.changedFacts()));
    changed.addAll(demand.changed());
    Derivations<SecretDemand, Resource> next = derived;
    for (SecretDemand key : changed) {
      next =
          demand.of(key).isEmpty()
              ? next.without(key)
              : next.derive(key, input.index(), reader -> build(key, reader));
      Resource after = next.get(key);
      if (after != null) {
        input.snapshot().publish(after);
      } else if (derived.get(key) != null) {
        input.snapshot().retract(key.id());
      }
    }
    return new SecretStage(demand.demanded(), next, changed.size());
  }

  private static @Nullable Resource build(SecretDemand demand, FactReader reader) {
    IndexedObject indexed = reader.indexed(demand.secret());
    if (indexed == null || !(indexed.typed() instanceof Secret secret)) {
      return null;
    }
    if (demand.revocations() != null) {
      return buildRevoking(demand, indexed, secret, reader.indexed(demand.revocations()));
    }
    Message message = message(demand, secret);
    if (message == null) {
      return null;
    }
    var bytes = Digests.serialise(message);
    String version = Digests.of(bytes);
    FieldOrigin origin =
        new FieldOrigin(
            demand.secret(),
            indexed.generation(),
            demand.use() == Use.SERVER ? "data" : "data[\"ca.crt\"]");
    return new Resource(
        demand.id(),
        version,
        bytes,
        Resource.Audience.ALL,
        PersistentMap.<ObjectKey, String>empty().with(demand.secret(), version),
        PersistentMap.empty(),
        () -> List.of(origin.of("")));
  }

  /** Authorities with what they have revoked: without the lists, there is nothing to be trusted. */
  private static @Nullable Resource buildRevoking(
      SecretDemand demand, IndexedObject indexed, Secret secret, @Nullable IndexedObject lists) {
    if (secret.ca() == null
        || lists == null
        || !(lists.typed() instanceof Secret revoking)
        || revoking.revocations() == null) {
      return null;
    }
    String name = demand.id().name();
    var bytes = Digests.serialise(Secrets.authority(name, secret.ca(), revoking.revocations()));
    List<SourcePlace> places =
        List.of(
            new FieldOrigin(demand.secret(), indexed.generation(), "data[\"ca.crt\"]").of(""),
            new FieldOrigin(lists.object().key(), lists.generation(), "data[\"crl.pem\"]").of(""));
    String own = Digests.of(Digests.serialise(Secrets.authority(name, secret.ca())));
    String theirs =
        Digests.of(Digests.serialise(Secrets.revocations(name, revoking.revocations())));
    PersistentMap<ObjectKey, String> parts =
        PersistentMap.<ObjectKey, String>empty().with(demand.secret(), own);
    parts =
        parts.with(
            lists.object().key(),
            lists.object().key().equals(demand.secret())
                ? Digests.of(List.of(own, theirs))
                : theirs);
    return new Resource(
        demand.id(),
        Digests.of(bytes),
        bytes,
        Resource.Audience.ALL,
        parts,
        PersistentMap.empty(),
        () -> places);
  }

  private static @Nullable Message message(SecretDemand demand, Secret secret) {
    String name = demand.id().name();
    if (demand.use() == Use.SERVER) {
      return secret.tls() == null ? null : Secrets.certificate(name, secret.tls());
    }
    return secret.ca() == null ? null : Secrets.authority(name, secret.ca());
  }
}
