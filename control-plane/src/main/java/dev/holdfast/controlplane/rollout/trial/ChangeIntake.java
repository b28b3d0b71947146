// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.rollout.hold.HoldManager;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.DelegationRevocation;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Takes in what authors write: what goes out at once, what has to be tried, what goes later. */
final class ChangeIntake {
  /** Their deletion waits for changes that may end the last reference to them. */
  private static final Set<String> OFTEN_REFERRED_TO =
      Set.of(Service.KIND, EndpointSlice.KIND, Secret.KIND);

  private final Baseline base;
  private final DesiredObjects wishes;
  private final HoldManager convictions;
  private final SortedSet<ObjectKey> leaving = new TreeSet<>();
  private SortedMap<ObjectKey, AcceptedSpec> remembered = new TreeMap<>();

  ChangeIntake(Baseline base, DesiredObjects wishes, HoldManager convictions) {
    this.base = base;
    this.wishes = wishes;
    this.convictions = convictions;
  }

  /** Whether changes of an object are tried: those of endpoints go out as they come. */
  static boolean tries(ObjectKey key) {
    return !key.kind().equals(EndpointSlice.KIND);
  }

  /** What an earlier life had accepted. It counts until the source has told what there is. */
  void restore(SortedMap<ObjectKey, AcceptedSpec> accepted) {
    remembered = new TreeMap<>(accepted);
  }

  /** Takes changes, null for an object that is no more; the result is what goes out at once. */
  SortedMap<ObjectKey, @Nullable ConfigObject> take(
      SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    SortedMap<ObjectKey, @Nullable ConfigObject> atOnce = new TreeMap<>();
    for (Map.Entry<ObjectKey, @Nullable ConfigObject> change : changes.entrySet()) {
      ConfigObject object = change.getValue();
      if (object == null) {
        remove(change.getKey(), atOnce);
      } else {
        put(object, atOnce);
      }
    }
    remembered = new TreeMap<>();
    return atOnce;
  }

  private void put(ConfigObject object, SortedMap<ObjectKey, @Nullable ConfigObject> atOnce) {
    ObjectKey key = object.key();
    wishes.put(object);
    leaving.remove(key);
    ConfigObject known = tries(key) ? remembered(object) : object;
    ConfigObject before = known == null ? base.get(key) : known;
    if (known != null) {
      atOnce.put(key, known);
    }
    if (object.equals(before)) {
      wishes.done(key);
      convictions.release(key);
      return;
    }
    convictions.pend(key);
    if (before != null && DelegationRevocation.concerns(object)) {
      atOnce.put(key, DelegationRevocation.common(before, object));
    }
  }

  /** What an earlier life had accepted of an object; null if nothing that can be served. */
  private @Nullable ConfigObject remembered(ConfigObject object) {
    AcceptedSpec accepted = remembered.get(object.key());
    if (accepted == null) {
      return null;
    }
    boolean same = accepted.object().generation() == object.generation();
    return same || !accepted.isWhole() ? object : accepted.object();
  }

  private void remove(ObjectKey key, SortedMap<ObjectKey, @Nullable ConfigObject> atOnce) {
    wishes.remove(key);
    convictions.gone(key);
    if (base.get(key) == null) {
      return;
    }
    if (OFTEN_REFERRED_TO.contains(key.kind())) {
      leaving.add(key);
    } else {
      atOnce.put(key, null);
    }
  }

  /** What others referred to and have had time not to; it goes away now. */
  SortedMap<ObjectKey, @Nullable ConfigObject> takeDeferredDeletions() {
    SortedMap<ObjectKey, @Nullable ConfigObject> gone = new TreeMap<>();
    leaving.forEach(key -> gone.put(key, null));
    leaving.clear();
    return gone;
  }
}
