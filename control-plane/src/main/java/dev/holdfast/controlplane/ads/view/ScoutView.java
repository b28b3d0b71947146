// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.view;

import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import dev.holdfast.controlplane.snapshot.Snapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * What scouts are served in place of a snapshot: the same resources, except that no cluster leads
 * to a backend, and that listeners are on ports of their own. See {@link ScoutResources}.
 *
 * <p>Costs what differs from a snapshot that was seen lately. Loop only.
 */
public final class ScoutView {
  /** The baseline and a trial, each before and after a change. */
  private static final int REMEMBERED = 4;

  private final ScoutResources resources;
  private final Deque<Seen> seen = new ArrayDeque<>();

  private record Seen(Snapshot source, Snapshot shown) {}

  public ScoutView(ScoutSettings settings) {
    this.resources = new ScoutResources(settings);
    seen.add(new Seen(Snapshot.empty(), Snapshot.empty()));
  }

  /** What scouts are served in place of a snapshot. */
  @SuppressWarnings("ReferenceEquality") // snapshots that share what did not change
  public Snapshot of(Snapshot source) {
    for (Seen each : seen) {
      if (each.source == source) {
        return each.shown;
      }
    }
    Snapshot shown = from(seen.getFirst(), source);
    if (seen.size() == REMEMBERED) {
      seen.removeLast();
    }
    seen.addFirst(new Seen(source, shown));
    return shown;
  }

  private Snapshot from(Seen last, Snapshot source) {
    Snapshot[] next = {last.shown};
    Snapshot.diff(
        last.source,
        source,
        (id, before, after) -> {
          Resource resource = source.get(id);
          String absence = source.absence(id);
          if (resource != null) {
            next[0] = next[0].with(resources.of(resource));
          } else if (absence != null) {
            next[0] = next[0].withAbsence(id, absence);
          } else {
            next[0] = next[0].without(id).withoutAbsence(id);
          }
        });
    return next[0];
  }

  /** What scouts are served in place of a resource. */
  public Resource of(Resource resource) {
    return resources.of(resource);
  }

  /**
   * The resource that a scout is served this one for, or one that is equal to it. Endpoints have
   * none: they are not tried.
   */
  public Resource original(Resource served) {
    ResourceType type = served.id().type();
    if (type != ResourceType.CLUSTER && type != ResourceType.LISTENER) {
      return served;
    }
    String version = resources.originalVersion(served.version());
    return version.equals(served.version())
        ? served
        : new Resource(
            served.id(),
            version,
            served.body(),
            served.audience(),
            served.contributions(),
            served.clusters(),
            served.filters(),
            served.provenance());
  }

  /** Names the settings in versions: content for another sink is other content. */
  static String suffix(ScoutSettings settings) {
    return "-" + Digests.of(List.of("scout", String.valueOf(settings.sink()))).substring(0, 8);
  }
}
