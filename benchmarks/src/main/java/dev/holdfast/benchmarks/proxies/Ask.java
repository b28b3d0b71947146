// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.proxies;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.List;

/**
 * What a proxy asks for.
 *
 * @param names none for everything of the type
 */
public record Ask(String typeUrl, List<String> names) {
  /** Clusters and nothing else, which every server can be given. */
  public static final List<Ask> CLUSTERS =
      List.of(new Ask(ResourceType.CLUSTER.typeUrl(), List.of()));

  /** As Envoy asks: a whole control plane waits until a proxy has asked for all of it. */
  public static final List<Ask> ALL =
      List.of(
          CLUSTERS.get(0),
          new Ask(ResourceType.LISTENER.typeUrl(), List.of()),
          new Ask(ResourceType.ROUTES.typeUrl(), List.of("ingress_http")));

  public Ask {
    names = List.copyOf(names);
  }
}
