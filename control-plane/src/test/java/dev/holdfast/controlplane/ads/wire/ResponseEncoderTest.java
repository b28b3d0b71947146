// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.snapshot.Digests;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceTable;
import dev.holdfast.controlplane.snapshot.ResourceType;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryResponse;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encoded resources are shared by all streams. */
class ResponseEncoderTest {
  private final ResponseEncoder encoder = new ResponseEncoder("test");

  @Test
  void aCachedResourceIsEncodedTheSameForEveryStream() throws Exception {
    Resource resource = cluster("a", "one");

    DeltaDiscoveryResponse first = delta(List.of(resource), "1");
    DeltaDiscoveryResponse second = delta(List.of(resource), "2");

    assertThat(second.getResourcesList()).isEqualTo(first.getResourcesList());
    assertThat(first.getNonce()).isEqualTo("1");
    assertThat(second.getNonce()).isEqualTo("2");
  }

  @Test
  void anotherVersionIsNotServedFromTheCache() throws Exception {
    Resource before = cluster("a", "one");
    Resource after = cluster("a", "two");
    delta(List.of(before), "1");

    DeltaDiscoveryResponse response = delta(List.of(after), "2");

    assertThat(response.getResources(0).getVersion()).isEqualTo(after.version());
    assertThat(response.getResources(0).getResource().getValue()).isEqualTo(after.body());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 64, 65, 200})
  void responsesContainAllResources(int count) throws Exception {
    List<Resource> resources = new ArrayList<>();
    ResourceTable table = ResourceTable.empty();
    for (int i = 0; i < count; i++) {
      Resource resource = cluster("c" + (1000 + i), "one");
      resources.add(resource);
      table = table.with(resource);
    }
    DeltaDiscoveryResponse delta = delta(resources, "1");
    DiscoveryResponse sotw =
        DiscoveryResponse.parseFrom(
            encoder.sotw(ResourceType.CLUSTER, table, "v", "1", Collections.emptySortedMap()));

    assertThat(delta.getResourcesList())
        .extracting(resource -> resource.getResource().getValue())
        .containsExactlyElementsOf(resources.stream().map(Resource::body).toList());
    assertThat(sotw.getResourcesList())
        .extracting(any -> any.getValue())
        .containsExactlyInAnyOrderElementsOf(resources.stream().map(Resource::body).toList());
  }

  private DeltaDiscoveryResponse delta(List<Resource> resources, String nonce)
      throws InvalidProtocolBufferException {
    return DeltaDiscoveryResponse.parseFrom(
        encoder.delta(
            ResourceType.CLUSTER,
            resources,
            Collections.emptySortedSet(),
            "v",
            nonce,
            Collections.emptySortedMap()));
  }

  private static Resource cluster(String name, String stat) {
    ByteString body =
        Digests.serialise(Cluster.newBuilder().setName(name).setAltStatName(stat).build());
    return new Resource(
        new ResourceId(ResourceType.CLUSTER, name),
        Digests.of(body),
        body,
        Resource.Audience.ALL,
        PersistentMap.empty(),
        PersistentMap.empty(),
        List::of);
  }
}
