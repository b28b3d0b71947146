// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What an application could call it goes on being able to call: the rule of {@link Serving}, for
 * our clients, which are all of one class. One that is to use something new, and loses its stream
 * before it has all of that, makes do with the error that this is.
 */
final class AppServing {
  private final Author author;
  private final Predicate<ObjectKey> isAccepted;
  private final Predicate<ObjectKey> isExcused;
  private final Map<App, SortedSet<ObjectKey>> served = new HashMap<>();

  /** Those that may have what no server knows any more. */
  private final Set<App> unknown = new HashSet<>();

  /** Whether none of them was away or silent since all was at rest. */
  private boolean steady;

  /**
   * @param isAccepted whether some generation of a root is
   * @param isExcused whether something that a root needs was missing of late
   */
  AppServing(Author author, Predicate<ObjectKey> isAccepted, Predicate<ObjectKey> isExcused) {
    this.author = author;
    this.isAccepted = isAccepted;
    this.isExcused = isExcused;
  }

  /** Objects were written or deleted. */
  void edited() {
    served.values().forEach(roots -> roots.removeIf(this::isNotAsked));
  }

  /** Of a host whose root is renamed the one or the other is served, and which cannot be seen. */
  private boolean isNotAsked(ObjectKey root) {
    return isExcused.test(root) || isExcused.test(Names.otherName(root));
  }

  /** An application may have been told something. */
  void look(App app) {
    SortedSet<ObjectKey> before = served.computeIfAbsent(app, unused -> new TreeSet<>());
    for (ObjectKey root : author.roots()) {
      String host = Names.host(root);
      if (!app.hosts().contains(host) || isNotAsked(root)) {
        continue;
      }
      if (app.has(host)) {
        if (steady && !unknown.contains(app) && isAccepted.test(root)) {
          before.add(root);
        }
      } else if (before.remove(root) && !app.hasLostTouch(host)) {
        throw new Broken(app + " can no longer call " + author.get(root) + ": " + app.answer(host));
      }
    }
  }

  void disturbed() {
    steady = false;
  }

  void restarted(App app) {
    served.remove(app);
  }

  /** As for Envoys, a version of SotW means nothing to another server. */
  void serverDied(App app) {
    steady = false;
    if (!app.isDelta()) {
      served.remove(app);
      unknown.add(app);
    }
  }

  void atRest() {
    steady = true;
    unknown.clear();
    edited();
  }
}
