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
import org.jspecify.annotations.Nullable;

/**
 * An object with its status.
 *
 * @param generation the newest one
 * @param servedGeneration the one that is in force; 0 if none is
 * @param conditions in the order of their types
 * @param proxies counts over all proxy classes
 * @param byClass counts by proxy class
 * @param resources the resources that the object contributes to
 * @param problems the problems of the object with their positions, as text
 * @param warnings what does not make the object invalid, with positions, as text
 * @param notProbed routes that no request through a scout was sent for, and why
 * @param diff from the served to the newest generation, line by line; empty if they are equal, or
 *     in a list of objects
 * @param place where the newest generation is written, such as {@code shop/web.yaml:3:1}; empty if
 *     unknown
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
    List<String> warnings,
    List<String> notProbed,
    List<String> diff,
    String place) {
  public ObjectReport {
    conditions = List.copyOf(conditions);
    byClass = Collections.unmodifiableSortedMap(new TreeMap<>(byClass));
    resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
    notProbed = List.copyOf(notProbed);
    diff = List.copyOf(diff);
  }

  /** The condition of a type; null if the object has none such. */
  public @Nullable Condition condition(String type) {
    return conditions.stream()
        .filter(condition -> condition.type().equals(type))
        .findFirst()
        .orElse(null);
  }

  /** A copy with the difference to the served generation. */
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
        warnings,
        notProbed,
        lines,
        place);
  }

  /** A copy with other problems. */
  public ObjectReport withProblems(List<String> all) {
    return new ObjectReport(
        key,
        generation,
        servedGeneration,
        conditions,
        proxies,
        byClass,
        resources,
        all,
        warnings,
        notProbed,
        diff,
        place);
  }
}
