// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.stage;

import com.google.protobuf.Message;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.check.References.Use;
import dev.holdfast.controlplane.translate.host.SecretDemand;
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
 * The certificates that hosts and clusters ask for. What nobody may use is not there.
 *
 * @param asked by secret and by who asks
 */
record SecretStage(
    MultiMap<SecretDemand, String, Boolean> asked,
    Derivations<SecretDemand, Resource> made,
    int work) {
  static final SecretStage EMPTY = new SecretStage(MultiMap.empty(), Derivations.empty(), 0);

  SecretStage with(StageInput turn, Demand<SecretDemand, Boolean> demand) {
    SortedSet<SecretDemand> wanted = new TreeSet<>(made.derivedFrom(turn.news()));
    wanted.addAll(demand.changed());
    Derivations<SecretDemand, Resource> next = made;
    for (SecretDemand one : wanted) {
      next =
          demand.of(one).isEmpty()
              ? next.without(one)
              : next.derive(one, turn.index(), reader -> make(one, reader));
      Resource after = next.get(one);
      if (after != null) {
        turn.publication().publish(after);
      } else if (made.get(one) != null) {
        turn.publication().retract(one.id());
      }
    }
    return new SecretStage(demand.asked(), next, wanted.size());
  }

  private static @Nullable Resource make(SecretDemand wanted, FactReader reader) {
    IndexedObject input = reader.input(wanted.secret());
    Message message =
        input != null && input.typed() instanceof Secret secret ? message(wanted, secret) : null;
    if (input == null || message == null) {
      return null;
    }
    var bytes = Digests.serialise(message);
    String version = Digests.of(bytes);
    FieldOrigin origin =
        new FieldOrigin(
            wanted.secret(),
            input.generation(),
            wanted.use() == Use.SERVER ? "data" : "data[\"ca.crt\"]");
    return new Resource(
        wanted.id(),
        version,
        bytes,
        Resource.Audience.ALL,
        PersistentMap.<dev.holdfast.config.ObjectKey, String>empty().with(wanted.secret(), version),
        PersistentMap.empty(),
        () -> List.of(origin.of("")));
  }

  private static @Nullable Message message(SecretDemand wanted, Secret secret) {
    String name = wanted.id().name();
    if (wanted.use() == Use.SERVER) {
      return secret.tls() == null ? null : Secrets.certificate(name, secret.tls());
    }
    return secret.ca() == null ? null : Secrets.authority(name, secret.ca());
  }
}
