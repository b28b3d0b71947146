// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ControlPlane;
import dev.holdfast.controlplane.report.HoldReport;
import dev.holdfast.controlplane.report.IncidentReport;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * When nothing is left to be said: everybody whose objects are good is served as they wish and told
 * so, and nobody is told so whose object is bad.
 */
final class Rest {
  private static final Set<String> ODD = Set.of("odd");

  /** How the step of a search ends that was begun for nothing, and begins again with others. */
  private static final String OVERRULED = " is the only one that refuses it";

  private final Author author;
  private final Set<String> classes;
  private final Statuses statuses;
  private final Disk disk;
  private final Commits commits;
  private final BadLuck luck;
  private final Set<ObjectKey> held = new TreeSet<>();
  private final Set<ObjectKey> unlucky = new TreeSet<>();

  Rest(
      Author author,
      Set<String> classes,
      Statuses statuses,
      Disk disk,
      Commits commits,
      BadLuck luck) {
    this.luck = luck;
    this.commits = commits;
    this.disk = disk;
    this.author = author;
    this.classes = classes;
    this.statuses = statuses;
  }

  void check(Collection<Member> members, Life life) {
    held.clear();
    unlucky.clear();
    List<HoldReport> holds = life.ask(ControlPlane::holds);
    holds.forEach(hold -> held.add(hold.key()));
    unlucky.addAll(luck.explains(holds));
    luck.atRest();
    for (ObjectKey root : author.roots()) {
      if (isClean(root)) {
        members.forEach(member -> isServed(root, member));
      } else if (isContested(root)) {
        members.forEach(member -> isServedByEither(root, member));
      }
    }
    boolean strangers = members.stream().anyMatch(commits::isStranger);
    author.live().values().forEach(written -> isTold(written, members, strangers));
    life.ask(ControlPlane::incidents).forEach(Rest::isWithinBudget);
  }

  /** Those who mind something, where odd proxies do too. */
  static Set<String> withOdd(Set<String> classes) {
    Set<String> all = new TreeSet<>(classes);
    all.addAll(ODD);
    return all;
  }

  /** Odd proxies serve whatever has nothing in it that only they refuse. */
  void checkOdd(Collection<Member> odd) {
    for (ObjectKey root : author.roots()) {
      if (isClean(root)
          && Closure.isClean(root, author, ODD)
          && !Closure.setsOffAFlaw(root, author, ODD, disk.accepted())) {
        odd.forEach(member -> isServed(root, member));
      }
    }
  }

  /** Whether a root must be served in its newest generation. */
  boolean isClean(ObjectKey root) {
    return Closure.isClean(root, author, classes)
        && Collections.disjoint(Closure.of(root, author), unlucky)
        && author.get(Names.otherName(root)) == null
        && !Closure.setsOffAFlaw(root, author, classes, disk.accepted())
        && !isUnderSuspicion(root);
  }

  /**
   * Whether nothing was ever accepted, and a root came with others, one of which was refused by
   * proxies that run what no server knows: to find out which would take that away.
   */
  private boolean isUnderSuspicion(ObjectKey root) {
    Condition programmed = statuses.programmed(root);
    return programmed != null
        && programmed.reason().equals("AttributionPending")
        && disk.accepted().isEmpty();
  }

  /** Whether two good roots claim a host, one of which must be served. */
  private boolean isContested(ObjectKey root) {
    ObjectKey other = Names.otherName(root);
    return author.get(other) != null
        && List.of(root, other).stream()
            .allMatch(
                key ->
                    Closure.isClean(key, author, classes)
                        && Collections.disjoint(Closure.of(key, author), unlucky)
                        && !Closure.setsOffAFlaw(key, author, classes, disk.accepted())
                        && !isUnderSuspicion(key));
  }

  private void isServedByEither(ObjectKey root, Member member) {
    if (!member.serves(root)) {
      throw new Broken(
          "two good roots claim a host, but %s serves neither %s: %s"
              .formatted(member, root, member.answer(root)));
    }
  }

  private void isServed(ObjectKey root, Member member) {
    Written written = author.get(root);
    if (written == null) {
      throw new AssertionError(root);
    }
    if (!member.serves(root)) {
      throw new Broken(
          written + " is good, but " + member + " does not serve it: " + member.answer(root));
    }
    if (!member.mark(root).equals(written.sketch().mark()) && !commits.isStranger(member)) {
      throw new Broken(
          "%s is good, but %s serves %s and not %s"
              .formatted(written, member, member.mark(root), written.sketch().mark()));
    }
  }

  private void isTold(Written written, Collection<Member> members, boolean strangers) {
    Condition programmed = statuses.programmed(written.key());
    String told = programmed == null ? "nothing" : programmed.toString();
    boolean yes =
        programmed != null
            && programmed.status() == Condition.Status.TRUE
            && programmed.observedGeneration() == written.generation();
    if (yes && Names.isRoot(written.key())) {
      for (Member member : members) {
        if (!member.mark(written.key()).equals(written.sketch().mark())
            && !commits.isStranger(member)) {
          throw new Broken(
              "%s is told %s, but %s serves %s"
                  .formatted(written, told, member, member.mark(written.key())));
        }
      }
    }
    if (yes && isAloneToBlame(written)) {
      throw new Broken(written + " is bad, but its author is told " + told);
    }
    if (Names.isRoot(written.key()) && isClean(written.key()) && !strangers && !yes) {
      throw new Broken(written + " is good, but its author is told " + told);
    }
  }

  /** Whether a root is bad in a way that shows, and nothing else that it needs is, or is held. */
  private boolean isAloneToBlame(Written written) {
    return Names.isRoot(written.key())
        && written.sketch().flaw() == Flaw.FOR_ALL
        && Closure.of(written.key(), author).stream()
            .filter(part -> !part.equals(written.key()))
            .allMatch(part -> Closure.isGood(part, author, classes) && !held.contains(part));
  }

  private static void isWithinBudget(IncidentReport incident) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, incident.changes()));
    long overruled = incident.steps().stream().filter(step -> step.endsWith(OVERRULED)).count();
    long most = (2L * bits + 8) * (1 + incident.offendingKeys().size() + overruled) + 1;
    if (incident.pushes() > most) {
      throw new Broken("more than " + most + " pushes: " + incident);
    }
    if (incident.took() == null) {
      throw new Broken("never ends: " + incident);
    }
  }
}
