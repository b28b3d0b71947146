// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import java.util.Collection;
import java.util.SortedSet;

/** The names of a channel that there may be something to say about, and why. */
final class Agenda {
  private SortedSet<String> dirty = Names.none();

  /** To be sent even if the proxy has it: it asked again. */
  private SortedSet<String> forced = Names.none();

  /** Refused last: what the proxy holds may be something between the old and the new. */
  private SortedSet<String> tainted = Names.none();

  /** Of several that were refused together without a name; each goes alone, once. */
  private SortedSet<String> suspects = Names.none();

  /**
   * Part of a response that has not been answered for so long that nobody waits: the proxy may have
   * the old or the new.
   */
  private SortedSet<String> unsure = Names.none();

  /** Missing, and the proxy knows. */
  private SortedSet<String> told = Names.none();

  private boolean everything;

  void add(String name) {
    dirty = Names.with(dirty, name);
  }

  void addAll(Collection<String> names) {
    dirty = Names.withAll(dirty, names);
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
    told = Names.without(told, name);
    dirty = Names.with(dirty, name);
    forced = Names.with(forced, name);
  }

  /** The proxy has what it asked for; true if it waits for an answer all the same. */
  boolean drop(String name) {
    dirty = Names.without(dirty, name);
    boolean was = forced.contains(name);
    forced = Names.without(forced, name);
    return was;
  }

  void unforce(String name) {
    forced = Names.without(forced, name);
  }

  /** A resource became different, so that what was said of it no longer holds. */
  void changed(String name) {
    dirty = Names.with(dirty, name);
    told = Names.without(told, name);
  }

  void taint(String name) {
    dirty = Names.with(dirty, name);
    tainted = Names.with(tainted, name);
  }

  void suspect(String name) {
    dirty = Names.with(dirty, name);
    suspects = Names.with(suspects, name);
  }

  /** Whether the proxy has what a response said, or what was before, cannot be told. */
  void doubt(Push push) {
    unsure = Names.withAll(unsure, push.names());
  }

  /** The proxy has answered after all. */
  void trust(Push push) {
    if (push.silent) {
      unsure = Names.withoutAll(unsure, push.names());
    }
  }

  boolean isUnsure(String name) {
    return unsure.contains(name);
  }

  /** A response says what there is to say. */
  void settle(String name) {
    unsure = Names.without(unsure, name);
    dirty = Names.without(dirty, name);
    forced = Names.without(forced, name);
    tainted = Names.without(tainted, name);
    suspects = Names.without(suspects, name);
  }

  /** The proxy is told that there is none; it may still have what it refused. */
  void settleMissing(String name) {
    dirty = Names.without(dirty, name);
    forced = Names.without(forced, name);
    suspects = Names.without(suspects, name);
    told = Names.with(told, name);
  }

  /** Nobody asks for it any more. */
  void forget(String name) {
    settle(name);
    told = Names.without(told, name);
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
