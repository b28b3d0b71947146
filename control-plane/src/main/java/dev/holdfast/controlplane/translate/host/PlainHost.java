// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.translate.assemble.Fragment;
import io.envoyproxy.envoy.config.route.v3.VirtualHost;
import java.util.Collection;

/** A host without TLS as a resource of its own, beside being a part of the table of all of them. */
final class PlainHost {
  private PlainHost() {}

  /**
   * The resource of a host.
   *
   * @param virtualHost what it is in the table of all hosts
   */
  static Resource of(String host, Fragment virtualHost) {
    ResourceId id = ResourceNames.plainHost(host);
    // To a reader, the last value of a field counts. A virtual host that is called otherwise than
    // its resource could never be removed.
    ByteString name = VirtualHost.newBuilder().setName(id.name()).build().toByteString();
    return new Resource(
        id,
        virtualHost.version(),
        virtualHost.bytes().concat(name),
        Resource.Audience.ALL,
        PersistentMap.copyOf(virtualHost.parts()),
        set(virtualHost.clusters()),
        set(virtualHost.filters()),
        () -> virtualHost.places(""));
  }

  private static PersistentMap<String, String> set(Collection<String> names) {
    PersistentMap<String, String> set = PersistentMap.empty();
    for (String name : names) {
      set = set.with(name, "");
    }
    return set;
  }
}
