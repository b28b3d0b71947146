// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The names of a channel that there may be something to say about, and why. */
final class Agenda {
  private final SortedSet<String> dirty = new TreeSet<>();

  /** To be sent even if the proxy has it: it asked again. */
  private final Set<String> forced = new HashSet<>();

  /** Refused last: what the proxy holds may be something between the old and the new. */
  private final Set<String> tainted = new HashSet<>();

  /** Of several that were refused together without a name; each goes alone, once. */
  private final Set<String> suspects = new HashSet<>();

  /**
   * Part of a response that has not been answered for so long that nobody waits: the proxy may have
   * the old or the new. Seldom any.
   */
  private Set<String> unsure = Set.of();

  /** Missing, and the proxy knows. */
  private final Set<String> told = new HashSet<>();

  private boolean everything;

  void add(String name) {
    dirty.add(name);
  }

  void addAll(Collection<String> names) {
    dirty.addAll(names);
  }

  /** Everything of the type may have to be sent. */
  void addEverything() {
    everything = true;
  }

  /** Whether everything is on it; from now on, name by name. */
  boolean takeEverything() {
    boolean was = everything;
    everything = false;
    return was;
  }

  boolean hasEverything() {
    return everything;
  }

  /** What the proxy asked for must be sent, whether it has it or not. */
  void force(String name) {
    told.remove(name);
    dirty.add(name);
    forced.add(name);
  }

  /** The proxy has what it asked for; true if it waits for an answer all the same. */
  boolean drop(String name) {
    dirty.remove(name);
    return forced.remove(name);
  }

  void unforce(String name) {
    forced.remove(name);
  }

  /** A resource became different, so that what was said of it no longer holds. */
  void changed(String name) {
    dirty.add(name);
    told.remove(name);
  }

  void taint(String name) {
    dirty.add(name);
    tainted.add(name);
  }

  void suspect(String name) {
    dirty.add(name);
    suspects.add(name);
  }

  /** Whether the proxy has what a response said, or what was before, cannot be told. */
  void doubt(Push push) {
    if (unsure.isEmpty()) {
      unsure = new HashSet<>();
    }
    unsure.addAll(push.names());
  }

  /** The proxy has answered after all. */
  void trust(Push push) {
    if (push.silent) {
      unsure.removeAll(push.names());
    }
  }

  boolean isUnsure(String name) {
    return unsure.contains(name);
  }

  /** A response says what there is to say. */
  void settle(String name) {
    if (!unsure.isEmpty()) {
      unsure.remove(name);
    }
    dirty.remove(name);
    forced.remove(name);
    tainted.remove(name);
    suspects.remove(name);
  }

  /** The proxy is told that there is none; it may still have what it refused. */
  void settleMissing(String name) {
    dirty.remove(name);
    forced.remove(name);
    suspects.remove(name);
    told.add(name);
  }

  /** Nobody asks for it any more. */
  void forget(String name) {
    settle(name);
    told.remove(name);
  }

  boolean mustSend(String name) {
    return forced.contains(name) || tainted.contains(name) || unsure.contains(name);
  }

  boolean isTainted(String name) {
    return tainted.contains(name);
  }

  boolean isSuspect(String name) {
    return suspects.contains(name);
  }

  boolean knowsMissing(String name) {
    return told.contains(name);
  }

  SortedSet<String> names() {
    return dirty;
  }

  boolean isEmpty() {
    return dirty.isEmpty() && !everything;
  }
}
