// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.benchmarks.servers;

import io.envoyproxy.controlplane.server.serializer.CachedProtoResourcesSerializer;
import io.envoyproxy.controlplane.server.serializer.DefaultProtoResourcesSerializer;

/** The servers that are measured. */
public enum Side {
  HOLDFAST,
  /** With translation, status and state on disk. */
  HOLDFAST_WHOLE,
  PEER,
  /** With the serialiser that it offers to those who look for one. */
  PEER_CACHED,
  /** In Go, and a program of its own. */
  PEER_IN_GO,
  /** No control plane at all: what gRPC and the network need by themselves. */
  BARE;

  ServerUnderTest serve(int clusters) {
    return switch (this) {
      case HOLDFAST -> new HoldfastServer(clusters);
      case HOLDFAST_WHOLE -> new ControlPlaneServer(clusters);
      case PEER -> new PeerServer(clusters, new DefaultProtoResourcesSerializer());
      case PEER_CACHED -> new PeerServer(clusters, new CachedProtoResourcesSerializer());
      case PEER_IN_GO -> throw new IllegalArgumentException("it runs in no JVM");
      case BARE -> new BareServer(clusters);
    };
  }
}
