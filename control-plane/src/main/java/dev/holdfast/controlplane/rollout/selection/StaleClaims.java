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
 * Old generations that are served because the newest one cannot be. What their authors no longer
 * want must not be in the way of what others want now.
 */
public final class StaleClaims {
  private final Baseline base;
  private final DesiredObjects wishes;

  public StaleClaims(Baseline base, DesiredObjects wishes) {
    this.base = base;
    this.wishes = wishes;
  }

  /** The old generations that make some live objects invalid, because they claim the same hosts. */
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
          && isGhost(old)
          && !Collections.disjoint(ObjectReferences.of(old).claims(), claims.keySet())) {
        found.add(old.key());
      }
    }
    return found;
  }

  private boolean isGhost(ConfigObject old) {
    return wishes.get(old.key()) != null && !wishes.isNewest(old);
  }
}
