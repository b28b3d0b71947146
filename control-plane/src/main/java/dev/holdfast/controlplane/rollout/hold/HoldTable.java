// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.hold;

import static java.util.Objects.requireNonNull;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.fleet.Evidence;
import dev.holdfast.controlplane.snapshot.Resource;
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
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The holds, and the evidence by class. Evidence outlives its hold: the same contribution is not
 * tried again.
 */
public final class HoldTable {
  /** The oldest evidence is forgotten first. */
  private static final int MOST_EVIDENCE = 10_000;

  /** Of one contribution: classes that refused it, and others that came with it. */
  private static final int MOST_PER_PART = 100;

  private final Predicate<Evidence> counts;
  private final SortedMap<ObjectKey, Hold> holds = new TreeMap<>();
  private final Map<ObjectKey, Long> lastRefused = new HashMap<>();
  private final Map<Part, List<Evidence>> evidence =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Part, List<Evidence>> eldest) {
          return size() > MOST_EVIDENCE;
        }
      };

  /** Whether proxies were ever lost. */
  private boolean losses;

  /**
   * What evidence is against.
   *
   * @param resource null if it is against all contributions of an object
   */
  private record Part(@Nullable ResourceId resource, String digest) {
    static Part of(Evidence evidence) {
      return new Part(evidence.isLoss() ? null : evidence.resource(), evidence.digest());
    }
  }

  /**
   * @param counts whether evidence still counts: its class is connected or may come back
   */
  public HoldTable(Predicate<Evidence> counts) {
    this.counts = counts;
  }

  void put(Hold hold, long now) {
    holds.put(hold.key(), hold);
    if (hold.evidence() != null) {
      if (hold.reason().isProven()) {
        add(hold.evidence()); // a conflict is no evidence against the object alone
      }
      if (hold.reason().isRefusal()) {
        lastRefused.put(hold.key(), now);
      }
    }
  }

  public void add(Evidence added) {
    if (added.part().isEmpty()) {
      return;
    }
    losses |= added.isLoss();
    List<Evidence> all = evidence.computeIfAbsent(Part.of(added), unused -> new ArrayList<>());
    all.removeIf(
        known ->
            known.proxyClass().equals(added.proxyClass()) && known.part().equals(added.part()));
    if (all.size() == MOST_PER_PART) {
      all.remove(0);
    }
    all.add(added);
  }

  /** Whether evidence still counts. */
  public boolean counts(Evidence given) {
    return counts.test(given);
  }

  /** The evidence that a class gave. */
  public List<Evidence> evidenceOf(String proxyClass) {
    List<Evidence> found = new ArrayList<>();
    for (List<Evidence> all : evidence.values()) {
      for (Evidence given : all) {
        if (given.proxyClass().equals(proxyClass)) {
          found.add(given);
        }
      }
    }
    return found;
  }

  public @Nullable Hold get(ObjectKey key) {
    return holds.get(key);
  }

  /** Whether this generation of an object is held. */
  boolean isHeld(ConfigObject object) {
    Hold hold = holds.get(object.key());
    return hold != null && hold.generation() == object.generation();
  }

  /** Whether an object waits for another one. */
  boolean waits(ObjectKey key, ObjectKey cause) {
    Hold hold = holds.get(key);
    return hold != null
        && hold.reason() == Hold.Reason.DEPENDENCY_REJECTED
        && cause.equals(hold.cause());
  }

  @Nullable Hold remove(ObjectKey key) {
    return holds.remove(key);
  }

  public Collection<Hold> all() {
    return Collections.unmodifiableCollection(holds.values());
  }

  /** Forgets the evidence against an object, so that it is tried again; returns it. */
  public List<Evidence> forgetEvidence(ObjectKey key) {
    lastRefused.remove(key);
    Hold hold = holds.get(key);
    List<Evidence> forgotten =
        hold == null || hold.evidence() == null ? null : evidence.remove(Part.of(hold.evidence()));
    return forgotten == null ? List.of() : forgotten;
  }

  /**
   * Classes accepted some objects: forgets the evidence that they gave before against the same
   * contributions, and returns it. Losses are not forgotten: a proxy may live through what others
   * died of.
   */
  public List<Evidence> refute(
      Collection<ObjectKey> accepted, Translation translation, Set<String> classes) {
    List<Evidence> refuted = new ArrayList<>();
    if (evidence.isEmpty()) {
      return refuted;
    }
    for (ObjectKey key : accepted) {
      TranslatedObject object = translation.objects().get(key);
      if (object == null) {
        continue;
      }
      for (Map.Entry<ResourceId, String> part : object.footprint()) {
        Resource resource = requireNonNull(translation.snapshot().get(part.getKey()));
        for (Evidence given :
            evidence.getOrDefault(new Part(part.getKey(), part.getValue()), List.of())) {
          if (classes.contains(given.proxyClass()) && given.appliesTo(resource)) {
            refuted.add(given);
          }
        }
      }
    }
    refuted.forEach(this::forget);
    return refuted;
  }

  /** Forgets what a class said against a contribution. */
  public void forget(Evidence given) {
    Part part = Part.of(given);
    List<Evidence> all = evidence.get(part);
    if (all != null) {
      all.removeIf(
          known ->
              known.proxyClass().equals(given.proxyClass()) && known.part().equals(given.part()));
      if (all.isEmpty()) {
        evidence.remove(part);
      }
    }
  }

  /** Whether some contribution to a resource was refused. */
  public boolean wasRefused(ResourceId resource) {
    return evidence.entrySet().stream()
        .anyMatch(
            entry ->
                resource.equals(entry.getKey().resource())
                    && entry.getValue().stream().anyMatch(counts));
  }

  /**
   * The evidence against an object's contribution in a translation; null if there is none that
   * counts.
   */
  @Nullable Evidence against(ConfigObject changed, Translation translation) {
    TranslatedObject object = translation.objects().get(changed.key());
    if (object == null || evidence.isEmpty()) {
      return null;
    }
    Evidence loss = lossBy(changed, object);
    if (loss != null) {
      return loss;
    }
    for (Map.Entry<ResourceId, String> part : object.footprint()) {
      for (Evidence found :
          evidence.getOrDefault(new Part(part.getKey(), part.getValue()), List.of())) {
        if (counts.test(found)
            && (found.isAgainstOneAlone()
                || found.appliesTo(requireNonNull(translation.snapshot().get(part.getKey()))))) {
          return found;
        }
      }
    }
    return null;
  }

  /** The evidence that proxies were lost to an object as it is now; null if there is none. */
  private @Nullable Evidence lossBy(ConfigObject changed, TranslatedObject object) {
    if (losses) {
      for (boolean isSilence : new boolean[] {false, true}) {
        String part = Evidence.lost(changed, object.footprint(), isSilence);
        for (Evidence found : evidence.getOrDefault(new Part(null, part), List.of())) {
          if (counts.test(found)) {
            return found;
          }
        }
      }
    }
    return null;
  }

  /** The resource that evidence against all contributions of an object names. */
  static @Nullable ResourceId first(TranslatedObject object) {
    ResourceId first = null;
    for (Map.Entry<ResourceId, String> part : object.footprint()) {
      first = first == null ? part.getKey() : first;
    }
    return first;
  }

  /** Whether an object was refused recently. */
  boolean onProbation(ObjectKey key, long now, long probation) {
    Long last = lastRefused.get(key);
    return last != null && now - last < probation;
  }

  /** An object was deleted. */
  void forget(ObjectKey key) {
    holds.remove(key);
    lastRefused.remove(key);
  }
}
