// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.proxies;

import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.List;

/**
 * What a proxy asks for.
 *
 * @param names none for everything of the type
 */
public record Subscription(String typeUrl, List<String> names) {
  /** Clusters and nothing else, which every server can be given. */
  public static final List<Subscription> CLUSTERS =
      List.of(new Subscription(ResourceType.CLUSTER.typeUrl(), List.of()));

  /** As Envoy asks: a whole control plane waits until a proxy has asked for all of it. */
  public static final List<Subscription> ALL =
      List.of(
          CLUSTERS.get(0),
          new Subscription(ResourceType.LISTENER.typeUrl(), List.of()),
          new Subscription(ResourceType.ROUTES.typeUrl(), List.of("ingress_http")));

  public Subscription {
    names = List.copyOf(names);
  }
}
