// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Host claims of old generations that are still served because the newest one is held. A claim that
 * its author has given up must not make another object invalid.
 */
public final class StaleClaims {
  private final Baseline base;
  private final DesiredObjects desired;

  public StaleClaims(Baseline base, DesiredObjects desired) {
    this.base = base;
    this.desired = desired;
  }

  /** The objects whose old generation claims a host of live objects, and makes these invalid. */
  public SortedSet<ObjectKey> against(Collection<ConfigObject> live, Translation translation) {
    SortedMap<String, SortedSet<ObjectKey>> claims = new TreeMap<>();
    SortedSet<ObjectKey> moving = new TreeSet<>();
    live.forEach(object -> moving.add(object.key()));
    for (ConfigObject object : live) {
      TranslatedObject translated = translation.objects().get(object.key());
      if (translated != null && !translated.isValid()) {
        for (String claim : ObjectReferences.of(object).claims()) {
          claims.computeIfAbsent(claim, unused -> new TreeSet<>()).add(object.key());
        }
      }
    }
    SortedSet<ObjectKey> found = new TreeSet<>();
    if (claims.isEmpty()) {
      return found;
    }
    for (ConfigObject old : base.objects()) {
      if (!moving.contains(old.key())
          && isOutdated(old)
          && !Collections.disjoint(givenUp(old), claims.keySet())) {
        found.add(old.key());
      }
    }
    return found;
  }

  private boolean isOutdated(ConfigObject old) {
    return desired.get(old.key()) != null && !desired.isNewest(old);
  }

  /**
   * The hosts that the author no longer claims. Of a text that cannot be read that is not known.
   */
  private SortedSet<String> givenUp(ConfigObject old) {
    SortedSet<String> claims = new TreeSet<>(ObjectReferences.of(old).claims());
    ConfigObject newest = desired.get(old.key());
    if (newest == null || !ObjectReferences.isReadable(newest)) {
      return new TreeSet<>();
    }
    claims.removeAll(ObjectReferences.of(newest).claims());
    return claims;
  }
}
