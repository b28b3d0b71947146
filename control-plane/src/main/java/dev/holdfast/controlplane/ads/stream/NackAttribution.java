// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.stream;

import dev.holdfast.controlplane.ads.proxy.NackMessage;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which resources of a response a NACK concerns. Of clusters and listeners, Envoy names those that
 * it rejects and applies the others; of other types it is not known, and each is tried alone.
 *
 * @param offenders the rejected resources
 * @param applied the resources that the proxy runs all the same
 * @param suspects resources of which it is not known
 * @param removalsApplied whether the proxy applied the removals in the response
 */
record NackAttribution(
    List<Resource> offenders,
    List<Resource> applied,
    List<Resource> suspects,
    boolean removalsApplied) {

  /**
   * @param resources in the response
   * @param withRemovals whether the proxy may have rejected what the response removes
   */
  static NackAttribution of(
      ResourceType type,
      Collection<Resource> resources,
      boolean withRemovals,
      NackMessage message) {
    SortedSet<String> names = new TreeSet<>();
    resources.forEach(resource -> names.add(resource.name()));
    SortedSet<String> blamed;
    if (names.size() == 1 && !(withRemovals && type.isTakenOneByOne())) {
      blamed = names;
    } else if (type.isTakenOneByOne()) {
      blamed = message.blamed(names);
    } else {
      blamed = Collections.emptySortedSet();
    }
    boolean partlyApplied = !blamed.isEmpty() && type.isTakenOneByOne();
    NackAttribution result =
        new NackAttribution(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), partlyApplied);
    for (Resource resource : resources) {
      if (blamed.contains(resource.name())) {
        result.offenders.add(resource);
      } else if (partlyApplied && !message.isTruncated()) {
        result.applied.add(resource);
      } else {
        result.suspects.add(resource);
      }
    }
    return result;
  }
}
