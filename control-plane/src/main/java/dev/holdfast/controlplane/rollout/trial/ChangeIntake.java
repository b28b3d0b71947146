// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import dev.holdfast.config.AcceptedSpec;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ledger.DecisionProbe;
import dev.holdfast.controlplane.objects.DecodedObject;
import dev.holdfast.controlplane.objects.ObjectKind;
import dev.holdfast.controlplane.objects.extension.ExtensionService;
import dev.holdfast.controlplane.objects.secret.Secret;
import dev.holdfast.controlplane.objects.service.EndpointSlice;
import dev.holdfast.controlplane.objects.service.Service;
import dev.holdfast.controlplane.rollout.hold.HoldManager;
import dev.holdfast.controlplane.rollout.selection.Baseline;
import dev.holdfast.controlplane.rollout.selection.DelegationRevocation;
import dev.holdfast.controlplane.rollout.selection.DesiredObjects;
import dev.holdfast.controlplane.rollout.selection.ObjectReferences;
import dev.holdfast.controlplane.translate.host.ResourceNames;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Sorts changes of objects: which apply at once, which are tried, which deletions wait. */
final class ChangeIntake {
  /** Their deletion waits for pending changes that may end the last reference to them. */
  private static final Set<String> REFERENCED_KINDS =
      Set.of(Service.KIND, EndpointSlice.KIND, Secret.KIND, ExtensionService.KIND);

  private final Baseline baseline;
  private final DesiredObjects desired;
  private final HoldManager holds;
  private final DecisionProbe probe;
  private final BiConsumer<String, Throwable> onError;
  private final SortedSet<ObjectKey> deferredDeletions = new TreeSet<>();
  private SortedMap<ObjectKey, AcceptedSpec> remembered = new TreeMap<>();

  /**
   * @param onError takes errors of our own, with what was being done
   */
  ChangeIntake(
      Baseline baseline,
      DesiredObjects desired,
      HoldManager holds,
      DecisionProbe probe,
      BiConsumer<String, Throwable> onError) {
    this.probe = probe;
    this.onError = onError;
    this.baseline = baseline;
    this.desired = desired;
    this.holds = holds;
  }

  /** Whether changes of an object are tried. Endpoints are not: they apply at once. */
  static boolean tries(ObjectKey key) {
    return !key.kind().equals(EndpointSlice.KIND);
  }

  /** Restores the generations that proxies accepted, until the source reports the objects. */
  void restore(SortedMap<ObjectKey, AcceptedSpec> accepted) {
    remembered = new TreeMap<>(accepted);
  }

  /** Takes changes, null for a deleted object, and returns those that apply at once. */
  SortedMap<ObjectKey, @Nullable ConfigObject> take(
      SortedMap<ObjectKey, @Nullable ConfigObject> changes) {
    SortedMap<ObjectKey, @Nullable ConfigObject> immediate = new TreeMap<>();
    for (Map.Entry<ObjectKey, @Nullable ConfigObject> change : changes.entrySet()) {
      ConfigObject object = change.getValue();
      try {
        probe.at(DecisionProbe.Point.INTAKE);
        if (object == null) {
          remove(change.getKey(), immediate);
        } else {
          put(object, immediate);
        }
      } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
        failed(change.getKey(), object, immediate, e);
      }
    }
    remembered = new TreeMap<>();
    holds.retryInvalid();
    return immediate;
  }

  /** An error of our own: the object is tried later, by itself; what is deleted is deleted. */
  private void failed(
      ObjectKey key,
      @Nullable ConfigObject object,
      SortedMap<ObjectKey, @Nullable ConfigObject> immediate,
      Throwable error) {
    onError.accept("taking " + key, error);
    immediate.remove(key);
    if (object == null) {
      remove(key, immediate);
    } else {
      ConfigObject stored = stored(object);
      if (stored != null) {
        immediate.put(key, stored); // what proxies run must not be lost with the rest
      }
      desired.put(object);
      holds.suspendAfterError(
          new TreeMap<>(Map.of(key, object)),
          Set.of(key),
          "internal error, see the log of the control plane");
    }
  }

  /** The stored generation of an object, if that can be told without any decision. */
  private @Nullable ConfigObject stored(ConfigObject object) {
    AcceptedSpec accepted = remembered.get(object.key());
    if (accepted == null) {
      return null;
    }
    boolean same = accepted.object().generation() == object.generation();
    return same ? object : accepted.isWhole() ? accepted.object() : null;
  }

  private void put(ConfigObject object, SortedMap<ObjectKey, @Nullable ConfigObject> immediate) {
    ObjectKey key = object.key();
    desired.put(object);
    deferredDeletions.remove(key);
    if (!tries(key) && keepsLastGood(object)) {
      return;
    }
    ConfigObject known = tries(key) ? remembered(object) : object;
    ConfigObject before = known == null ? baseline.get(key) : known;
    if (known != null) {
      immediate.put(key, known);
    }
    if (object.equals(before)) {
      desired.done(key);
      holds.release(key);
      return;
    }
    holds.retry(key);
    if (before != null
        && DelegationRevocation.concerns(object)
        && ObjectReferences.isReadable(object)) {
      immediate.put(key, DelegationRevocation.common(before, object));
    }
  }

  /** Whether an untried object cannot be read, and an older generation stays in its place. */
  private boolean keepsLastGood(ConfigObject object) {
    DecodedObject decoded = ObjectKind.decode(object);
    if (decoded instanceof DecodedObject.Valid) {
      return false;
    }
    ConfigObject stored = remembered(object);
    ConfigObject served = stored == null ? baseline.get(object.key()) : stored;
    if (served == null || !ObjectReferences.isReadable(served)) {
      return false;
    }
    if (stored != null) {
      baseline.apply(new TreeMap<>(Map.of(object.key(), stored)));
    }
    holds.holdInvalid(object, decoded.problems().stream().map(LocatedProblem::toString).toList());
    return true;
  }

  /** The stored generation of an object that proxies accepted; null if there is none. */
  private @Nullable ConfigObject remembered(ConfigObject object) {
    AcceptedSpec accepted = remembered.get(object.key());
    if (accepted == null) {
      return null;
    }
    boolean same = accepted.object().generation() == object.generation();
    if (same) {
      return object;
    }
    return accepted.isWhole() ? accepted.object() : rememberedSecret(accepted.restored(), object);
  }

  /**
   * The content of a Secret is not stored, so that of the newest generation is served untried; but
   * not if it cannot be used for what the accepted one was used for, or if proxies refused a
   * generation of it, which may be this one. Then proxies keep what they hold.
   */
  private ConfigObject rememberedSecret(ConfigObject stored, ConfigObject newest) {
    Secret before = decode(stored);
    Secret after = decode(newest);
    boolean serves =
        after != null
            && (before == null
                || ((after.server() || !before.server())
                    && (after.authority() || !before.authority())))
            && !holds.table().wasRefused(ResourceNames.serverCertificate(newest.key()))
            && !holds.table().wasRefused(ResourceNames.authority(newest.key()));
    return serves ? newest : stored;
  }

  private static @Nullable Secret decode(ConfigObject object) {
    return ObjectKind.decode(object) instanceof DecodedObject.Valid valid
            && valid.object() instanceof Secret secret
        ? secret
        : null;
  }

  private void remove(ObjectKey key, SortedMap<ObjectKey, @Nullable ConfigObject> immediate) {
    desired.remove(key);
    holds.deleted(key);
    if (baseline.get(key) == null) {
      return;
    }
    if (REFERENCED_KINDS.contains(key.kind())) {
      deferredDeletions.add(key);
    } else {
      immediate.put(key, null);
    }
  }

  /** The deletions that have waited; they apply now. */
  SortedMap<ObjectKey, @Nullable ConfigObject> takeDeferredDeletions() {
    SortedMap<ObjectKey, @Nullable ConfigObject> gone = new TreeMap<>();
    deferredDeletions.forEach(key -> gone.put(key, null));
    deferredDeletions.clear();
    return gone;
  }
}
