// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.balance.cluster;

import dev.holdfast.xds.resources.endpoint.Locality;
import dev.holdfast.xds.resources.endpoint.LocalityEndpoints;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Names for the priorities of a cluster that follow the localities (gRFC A56): a priority is called
 * as one was that had a locality of it. So connections are kept when localities move as a whole to
 * another priority, or when a priority is put before others.
 */
final class PriorityNames {
  private Map<Locality, List<String>> before = Map.of();
  private int made;

  /** Names the priorities, which are given in their order; remembers the names for next time. */
  List<String> name(List<List<LocalityEndpoints>> priorities) {
    Map<Locality, List<String>> now = new HashMap<>();
    Set<String> taken = new HashSet<>();
    List<String> names = new ArrayList<>();
    for (List<LocalityEndpoints> localities : priorities) {
      String name = known(localities, taken);
      taken.add(name);
      names.add(name);
      for (LocalityEndpoints locality : localities) {
        now.computeIfAbsent(locality.locality(), l -> new ArrayList<>()).add(name);
      }
    }
    before = now;
    return names;
  }

  private String known(List<LocalityEndpoints> localities, Set<String> taken) {
    for (LocalityEndpoints locality : localities) {
      for (String name : before.getOrDefault(locality.locality(), List.of())) {
        if (!taken.contains(name)) {
          return name;
        }
      }
    }
    return "child" + made++;
  }
}
