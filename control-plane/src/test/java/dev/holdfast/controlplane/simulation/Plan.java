// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.simulation;

import java.util.List;

/**
 * What kind of run it is. Most are small: what goes wrong mostly does so with few proxies and few
 * edits, and those are quick.
 *
 * @param phases after each of which everything comes to rest
 * @param acts of authors and of fate in each phase
 * @param percentFlawed of what authors write
 * @param percentFaults of all acts
 * @param percentAct how often something happens before the last came to its end
 * @param network how eagerly messages are delivered, compared with the others
 * @param turns how eagerly the control plane gets on
 * @param writes how eagerly the disk does
 * @param time how eagerly time passes
 */
record Plan(
    int members,
    int classes,
    int hosts,
    int phases,
    int acts,
    int percentFlawed,
    int percentFaults,
    int percentAct,
    int network,
    int turns,
    int writes,
    int time) {
  static Plan of(Chance chance) {
    int size = chance.below(1000);
    int members =
        size < 2
            ? chance.between(10, 50)
            : size < 50 ? chance.between(4, 8) : chance.one(List.of(1, 1, 1, 2, 2, 3));
    return new Plan(
        members,
        Math.min(members, chance.one(List.of(1, 2, 2, 3))),
        chance.one(List.of(1, 2, 2, 3, 5)),
        chance.one(List.of(1, 1, 2)),
        chance.between(3, 9),
        chance.one(List.of(0, 10, 25, 25, 50)),
        chance.one(List.of(0, 0, 15, 40)),
        chance.one(List.of(2, 10, 30, 80)),
        chance.one(List.of(20, 60)),
        chance.one(List.of(10, 60)),
        chance.one(List.of(3, 30)),
        chance.one(List.of(0, 2, 10)));
  }
}
