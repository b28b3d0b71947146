// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.protobuf.Descriptors.Descriptor;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** The words by which users call the types of resources. */
enum TypeAlias {
  LISTENER("listener", Listener.getDescriptor()),
  ROUTE("route", RouteConfiguration.getDescriptor()),
  CLUSTER("cluster", Cluster.getDescriptor()),
  ENDPOINT("endpoint", ClusterLoadAssignment.getDescriptor());

  private final String word;
  private final String typeName;

  TypeAlias(String word, Descriptor descriptor) {
    this.word = word;
    this.typeName = descriptor.getFullName();
  }

  String word() {
    return word;
  }

  /** The type that goes by this word. */
  static Optional<TypeAlias> of(String word) {
    return Arrays.stream(values()).filter(type -> type.word.equals(word)).findFirst();
  }

  /** The word for a type URL or, for a type that has none, the bare name of the type. */
  static String forTypeUrl(String typeUrl) {
    String typeName = typeUrl.substring(typeUrl.lastIndexOf('/') + 1);
    return Arrays.stream(values())
        .filter(type -> type.typeName.equals(typeName))
        .findFirst()
        .map(TypeAlias::word)
        .orElse(typeName);
  }

  /** All words, for error texts. */
  static String expected() {
    return Arrays.stream(values()).map(TypeAlias::word).collect(Collectors.joining(", "));
  }
}
