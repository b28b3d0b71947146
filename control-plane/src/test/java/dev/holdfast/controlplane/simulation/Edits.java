// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What authors do next. */
final class Edits {
  private final Chance chance;
  private final Author author;
  private final Names names;
  private final Sketches sketches;
  private final int percentFlawed;
  private final @Nullable Poison poison;
  private final @Nullable Slips slips;
  private final @Nullable Oddities oddities;

  /**
   * @param slipping decides which mistakes are made that need no proxy to find; null if none are
   * @param poisoning decides which policies proxies die of; null if there are none
   * @param odd decides what odd proxies refuse; null if there are none
   */
  Edits(
      Chance chance,
      Author author,
      Names names,
      int percentFlawed,
      @Nullable Chance slipping,
      @Nullable Chance poisoning,
      @Nullable Chance odd) {
    this.chance = chance;
    this.author = author;
    this.names = names;
    this.sketches = new Sketches(chance, names);
    this.percentFlawed = percentFlawed;
    this.slips = slipping == null ? null : new Slips(slipping, author, sketches);
    this.oddities = odd == null ? null : new Oddities(odd, sketches);
    this.poison = poisoning == null ? null : new Poison(poisoning, sketches);
  }

  /** What is there when the first control plane starts: something of everything. */
  SortedMap<ObjectKey, @Nullable Sketch> first() {
    SortedMap<ObjectKey, @Nullable Sketch> edits = new TreeMap<>();
    names.services().forEach(key -> edits.put(key, sketches.of(key, Flaw.NONE)));
    names.slices().forEach(key -> edits.put(key, sketches.of(key, Flaw.NONE)));
    names.secrets().forEach(key -> edits.put(key, sketches.of(key, flaw(10))));
    names.children().forEach(key -> edits.put(key, sketches.of(key, flaw(10))));
    for (ObjectKey key : names.roots()) {
      if (key.name().startsWith("p") && chance.percent(70)) {
        edits.put(key, sketches.of(key, flaw(percentFlawed)));
      }
    }
    return edits;
  }

  /** One edit, or several at once. */
  SortedMap<ObjectKey, @Nullable Sketch> next() {
    SortedMap<ObjectKey, @Nullable Sketch> edits = new TreeMap<>();
    int count = chance.percent(60) ? 1 : chance.between(2, 5);
    for (int i = 0; i < count; i++) {
      add(edits);
    }
    if (oddities != null) {
      edits = oddities.in(edits);
    }
    SortedMap<ObjectKey, @Nullable Sketch> careless = slips == null ? edits : slips.in(edits);
    return poison == null ? careless : poison.in(careless);
  }

  /** What authors write that proxies die of; null if they do not. */
  @Nullable Poison poison() {
    return poison;
  }

  private void add(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    int dice = chance.below(100);
    if (dice < 45) {
      change(edits);
    } else if (dice < 60) {
      fix(edits);
    } else if (dice < 70) {
      revert(edits);
    } else if (dice < 88) {
      create(edits);
    } else if (dice < 94) {
      delete(edits);
    } else {
      rename(edits);
    }
  }

  private void change(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    List<ObjectKey> candidates = new ArrayList<>(author.live().keySet());
    candidates.removeAll(edits.keySet());
    if (!candidates.isEmpty()) {
      ObjectKey key = chance.one(candidates);
      edits.put(key, sketches.of(key, flaw(percentFlawed)));
    }
  }

  private void fix(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    List<ObjectKey> candidates = new ArrayList<>();
    author
        .live()
        .forEach(
            (key, written) -> {
              if (written.sketch().flaw() != Flaw.NONE && !edits.containsKey(key)) {
                candidates.add(key);
              }
            });
    if (!candidates.isEmpty()) {
      ObjectKey key = chance.one(candidates);
      edits.put(key, sketches.of(key, Flaw.NONE));
    }
  }

  private void revert(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    List<ObjectKey> candidates = new ArrayList<>(author.live().keySet());
    candidates.removeIf(key -> edits.containsKey(key) || author.past(key).size() < 2);
    if (!candidates.isEmpty()) {
      ObjectKey key = chance.one(candidates);
      edits.put(key, chance.one(author.past(key)).sketch());
    }
  }

  private void create(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    List<ObjectKey> candidates = new ArrayList<>();
    for (List<ObjectKey> kind :
        List.of(
            names.roots(),
            names.children(),
            names.services(),
            names.slices(),
            names.secrets(),
            names.policies())) {
      candidates.addAll(kind);
    }
    candidates.removeIf(
        key -> author.get(key) != null || edits.containsKey(key) || isTaken(key, edits));
    if (!candidates.isEmpty()) {
      ObjectKey key = chance.one(candidates);
      edits.put(key, sketches.of(key, flaw(percentFlawed)));
    }
  }

  /** Whether the host of a root belongs to another one. */
  private boolean isTaken(ObjectKey key, SortedMap<ObjectKey, @Nullable Sketch> edits) {
    if (!Names.isRoot(key)) {
      return false;
    }
    ObjectKey other = Names.otherName(key);
    return author.get(other) != null || edits.containsKey(other);
  }

  private void delete(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    List<ObjectKey> candidates = new ArrayList<>(author.live().keySet());
    candidates.removeAll(edits.keySet());
    if (!candidates.isEmpty()) {
      edits.put(chance.one(candidates), null);
    }
  }

  private void rename(SortedMap<ObjectKey, @Nullable Sketch> edits) {
    List<ObjectKey> candidates = new ArrayList<>(author.roots());
    candidates.removeAll(edits.keySet());
    candidates.removeIf(key -> edits.containsKey(Names.otherName(key)));
    if (!candidates.isEmpty()) {
      ObjectKey key = chance.one(candidates);
      Written written = author.get(key);
      Flaw flaw = written == null ? Flaw.NONE : written.sketch().flaw();
      edits.put(key, null);
      edits.put(Names.otherName(key), sketches.of(Names.otherName(key), flaw));
    }
  }

  private Flaw flaw(int percent) {
    return chance.percent(percent) ? chance.one(Flaw.REAL) : Flaw.NONE;
  }
}
