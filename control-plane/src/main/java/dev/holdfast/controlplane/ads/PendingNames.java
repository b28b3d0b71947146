// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import java.util.Collection;
import java.util.SortedSet;

/** The names of a type stream that there may be something to say about, and why. */
final class PendingNames {
  private SortedSet<String> dirty = NameSets.none();

  /** To be sent even if the proxy has it: it asked again. */
  private SortedSet<String> forced = NameSets.none();

  /** Refused last: what the proxy holds may be something between the old and the new. */
  private SortedSet<String> tainted = NameSets.none();

  /** Of several that were refused together without a name; each goes alone, once. */
  private SortedSet<String> suspects = NameSets.none();

  /**
   * Part of a response that has not been answered for so long that nobody waits: the proxy may have
   * the old or the new.
   */
  private SortedSet<String> unsure = NameSets.none();

  /** Missing, and the proxy knows. */
  private SortedSet<String> told = NameSets.none();

  private boolean everything;

  void add(String name) {
    dirty = NameSets.with(dirty, name);
  }

  void addAll(Collection<String> names) {
    dirty = NameSets.withAll(dirty, names);
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
    told = NameSets.without(told, name);
    dirty = NameSets.with(dirty, name);
    forced = NameSets.with(forced, name);
  }

  /** The proxy has what it asked for; true if it waits for an answer all the same. */
  boolean drop(String name) {
    dirty = NameSets.without(dirty, name);
    boolean was = forced.contains(name);
    forced = NameSets.without(forced, name);
    return was;
  }

  void unforce(String name) {
    forced = NameSets.without(forced, name);
  }

  /** A resource became different, so that what was said of it no longer holds. */
  void changed(String name) {
    dirty = NameSets.with(dirty, name);
    told = NameSets.without(told, name);
  }

  void taint(String name) {
    dirty = NameSets.with(dirty, name);
    tainted = NameSets.with(tainted, name);
  }

  void suspect(String name) {
    dirty = NameSets.with(dirty, name);
    suspects = NameSets.with(suspects, name);
  }

  /** Whether the proxy has what a response said, or what was before, cannot be told. */
  void doubt(InFlightResponse response) {
    unsure = NameSets.withAll(unsure, response.names());
  }

  /** The proxy has answered after all. */
  void trust(InFlightResponse response) {
    if (response.silent) {
      unsure = NameSets.withoutAll(unsure, response.names());
    }
  }

  boolean isUnsure(String name) {
    return unsure.contains(name);
  }

  /** A response says what there is to say. */
  void settle(String name) {
    unsure = NameSets.without(unsure, name);
    dirty = NameSets.without(dirty, name);
    forced = NameSets.without(forced, name);
    tainted = NameSets.without(tainted, name);
    suspects = NameSets.without(suspects, name);
  }

  /** The proxy is told that there is none; it may still have what it refused. */
  void settleMissing(String name) {
    dirty = NameSets.without(dirty, name);
    forced = NameSets.without(forced, name);
    suspects = NameSets.without(suspects, name);
    told = NameSets.with(told, name);
  }

  /** Nobody asks for it any more. */
  void forget(String name) {
    settle(name);
    told = NameSets.without(told, name);
  }

  boolean mustSend(String name) {
    return forced.contains(name) || tainted.contains(name) || unsure.contains(name);
  }

  boolean isTainted(String name) {
    return tainted.contains(name);
  }

  boolean isAnyTainted(Collection<String> names) {
    return !tainted.isEmpty() && names.stream().anyMatch(this::isTainted);
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
