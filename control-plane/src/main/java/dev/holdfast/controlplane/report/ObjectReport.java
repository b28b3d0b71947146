// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.report;

import dev.holdfast.config.Condition;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.ResourceId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How an object fares.
 *
 * @param generation the newest one
 * @param servedGeneration the one that proxies were last seen to run; 0 if none was
 * @param conditions in the order of their types
 * @param proxies over all classes
 * @param byClass by class of proxies
 * @param resources what the object has a part in
 * @param problems what is wrong with it, each with its place, for people
 * @param diff from what is served to what is wanted, line by line; empty if that is the same, or
 *     not only this object was asked for
 * @param place where its newest generation is written, such as {@code shop/web.yaml:3:1}; empty if
 *     that is not known
 */
public record ObjectReport(
    ObjectKey key,
    long generation,
    long servedGeneration,
    List<Condition> conditions,
    ProxyCounts proxies,
    SortedMap<String, ProxyCounts> byClass,
    SortedSet<ResourceId> resources,
    List<String> problems,
    List<String> diff,
    String place) {
  public ObjectReport {
    conditions = List.copyOf(conditions);
    byClass = Collections.unmodifiableSortedMap(new TreeMap<>(byClass));
    resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    problems = List.copyOf(problems);
    diff = List.copyOf(diff);
  }

  /** The same with what differs from what is served. */
  public ObjectReport withDiff(List<String> lines) {
    return new ObjectReport(
        key,
        generation,
        servedGeneration,
        conditions,
        proxies,
        byClass,
        resources,
        problems,
        lines,
        place);
  }
}
