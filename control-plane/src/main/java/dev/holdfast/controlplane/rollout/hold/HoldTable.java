// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.TranslatedObject;
import dev.holdfast.controlplane.translate.Translation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is held, and the evidence, by class. The evidence outlives the hold: the same part stays
 * refused.
 */
public final class HoldTable {
  /** Evidence of what nobody has written for long is of no use. */
  private static final int MOST_CERTIFICATES = 10_000;

  private final Predicate<Evidence> counts;
  private final SortedMap<ObjectKey, Hold> holds = new TreeMap<>();
  private final Map<ObjectKey, Long> lastRefused = new HashMap<>();
  private final Map<Part, SortedMap<String, Evidence>> certificates =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Part, SortedMap<String, Evidence>> eldest) {
          return size() > MOST_CERTIFICATES;
        }
      };

  private record Part(ResourceId resource, String digest) {}

  /**
   * @param counts whether those who gave the evidence are there to stand by it
   */
  public HoldTable(Predicate<Evidence> counts) {
    this.counts = counts;
  }

  void put(Hold hold, long now) {
    holds.put(hold.key(), hold);
    if (hold.certificate() != null) {
      if (hold.reason() == Hold.Reason.REJECTED) {
        add(hold.certificate()); // what is bad in company only is no evidence by itself
      }
      if (hold.reason() != Hold.Reason.ATTRIBUTION_PENDING) {
        lastRefused.put(hold.key(), now);
      }
    }
  }

  public void add(Evidence certificate) {
    if (!certificate.part().isEmpty()) {
      certificates
          .computeIfAbsent(
              new Part(certificate.resource(), certificate.part()), unused -> new TreeMap<>())
          .put(certificate.proxyClass(), certificate);
    }
  }

  /** The evidence that a class gave. */
  public List<Evidence> evidenceOf(String proxyClass) {
    List<Evidence> found = new ArrayList<>();
    for (SortedMap<String, Evidence> byClass : certificates.values()) {
      Evidence certificate = byClass.get(proxyClass);
      if (certificate != null) {
        found.add(certificate);
      }
    }
    return found;
  }

  public @Nullable Hold get(ObjectKey key) {
    return holds.get(key);
  }

  @Nullable Hold remove(ObjectKey key) {
    return holds.remove(key);
  }

  public Collection<Hold> all() {
    return Collections.unmodifiableCollection(holds.values());
  }

  /** Forgets what was refused of an object, so that it is tried again. */
  public void forgive(ObjectKey key) {
    Hold hold = holds.get(key);
    if (hold != null && hold.certificate() != null) {
      certificates.remove(new Part(hold.certificate().resource(), hold.certificate().part()));
    }
    lastRefused.remove(key);
  }

  /**
   * The evidence against an object's part in what it would become; null if there is none that
   * counts.
   */
  @Nullable Evidence against(ObjectKey key, Translation translation) {
    TranslatedObject object = translation.objects().get(key);
    if (object == null || certificates.isEmpty()) {
      return null;
    }
    for (Map.Entry<ResourceId, String> part : object.footprint()) {
      for (Evidence found :
          certificates
              .getOrDefault(new Part(part.getKey(), part.getValue()), Collections.emptySortedMap())
              .values()) {
        if (counts.test(found)) {
          return found;
        }
      }
    }
    return null;
  }

  /** Whether an object was refused not long ago. */
  boolean onProbation(ObjectKey key, long now, long probation) {
    Long last = lastRefused.get(key);
    return last != null && now - last < probation;
  }

  /** An object is no more. */
  void forget(ObjectKey key) {
    holds.remove(key);
    lastRefused.remove(key);
  }
}
