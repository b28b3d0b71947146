// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.interop.serve;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which requests must be answered, and by which backends. */
final class Oracle {
  private final String what;
  private final SortedMap<Probe, Set<String>> services;
  private final SortedMap<String, Set<String>> endpoints;
  private final SortedMap<Probe, Set<String>> answers = new TreeMap<>();
  private final List<Probe> probes;

  /**
   * @param what is going on, for error texts
   * @param services where requests go
   * @param endpoints the backends of each service
   */
  Oracle(
      String what,
      SortedMap<Probe, Set<String>> services,
      SortedMap<String, Set<String>> endpoints) {
    this.what = what;
    this.services = services;
    this.endpoints = endpoints;
    services.forEach(
        (probe, targets) -> {
          Set<String> backends = new TreeSet<>();
          targets.forEach(target -> backends.addAll(endpoints.getOrDefault(target, Set.of())));
          answers.put(probe, backends);
        });
    probes = List.copyOf(services.keySet());
  }

  /**
   * While this gives way to another: what both answer. Routes and endpoints travel each on its own,
   * so that for a moment a request may go where it used to, to an endpoint that is only just there.
   */
  Oracle changingTo(Oracle after, String what) {
    SortedMap<Probe, Set<String>> both = new TreeMap<>(services);
    both.keySet().retainAll(after.services.keySet());
    both.replaceAll((probe, targets) -> union(targets, after.services.get(probe)));
    SortedMap<String, Set<String>> either = new TreeMap<>(endpoints);
    after.endpoints.forEach((service, backends) -> either.merge(service, backends, Oracle::union));
    return new Oracle(what, both, either);
  }

  private static Set<String> union(Set<String> one, @Nullable Set<String> other) {
    Set<String> all = new TreeSet<>(one);
    all.addAll(other == null ? Set.of() : other);
    return all;
  }

  String what() {
    return what;
  }

  /** Who may answer what must be answered. */
  Map<Probe, Set<String>> answers() {
    return Collections.unmodifiableMap(answers);
  }

  List<Probe> probes() {
    return probes;
  }
}
