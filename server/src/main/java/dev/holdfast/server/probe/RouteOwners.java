// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.extension.ExtensionPolicy;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which objects the routes of a resource come from. */
public final class RouteOwners {
  private final Map<String, List<SourcePlace>> byPath = new HashMap<>();

  /**
   * @param places the provenance of the resource
   */
  public RouteOwners(List<SourcePlace> places) {
    places.forEach(
        place -> byPath.computeIfAbsent(place.path(), path -> new ArrayList<>()).add(place));
  }

  private List<SourcePlace> at(String path) {
    return byPath.getOrDefault(path, List.of());
  }

  /** What the route comes from; null if we have made it ourselves. */
  public @Nullable SourcePlace owner(RouteProbe probe) {
    SourcePlace ofRoute = owner(probe.path());
    return ofRoute == null ? owner(probe.hostPath()) : ofRoute;
  }

  /** What a part comes from; null if that is not known. */
  public @Nullable SourcePlace owner(String path) {
    return at(path).stream().filter(place -> !isPolicy(place)).findFirst().orElse(null);
  }

  private static boolean isPolicy(SourcePlace place) {
    return place.object().kind().equals(ExtensionPolicy.KIND);
  }

  /** The policies that are for the route. */
  public List<ObjectKey> policies(RouteProbe probe) {
    return policyPlaces(probe).stream().map(SourcePlace::object).distinct().toList();
  }

  private List<SourcePlace> policyPlaces(RouteProbe probe) {
    List<SourcePlace> places = new ArrayList<>();
    for (String path : List.of(probe.hostPath(), probe.path())) {
      at(path).stream().filter(RouteOwners::isPolicy).forEach(places::add);
    }
    return places;
  }

  /**
   * What is to blame if a request to the route fails: the only policy that is for it, else what the
   * route comes from.
   */
  public @Nullable SourcePlace guilty(RouteProbe probe) {
    return policies(probe).size() == 1 ? policyPlaces(probe).get(0) : owner(probe);
  }

  /** Words for a message, if several policies may be to blame; else empty. */
  public String suspects(RouteProbe probe) {
    List<ObjectKey> policies = policies(probe);
    return policies.size() < 2
        ? ""
        : " (policies for this route: "
            + String.join(", ", policies.stream().map(ObjectKey::toString).toList())
            + ")";
  }
}
