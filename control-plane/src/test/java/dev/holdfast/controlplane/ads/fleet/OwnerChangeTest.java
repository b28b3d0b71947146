// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.ads.AdsHarness;
import dev.holdfast.controlplane.ads.FakeXdsStream;
import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.ads.wire.Protocol;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An object is renamed: the same bytes belong to another object now, and are not sent again. */
class OwnerChangeTest {
  private final AdsHarness ads = new AdsHarness();

  private static Resource of(Resource resource, ObjectKey owner) {
    return new Resource(
        resource.id(),
        resource.version(),
        resource.body(),
        resource.audience(),
        PersistentMap.<ObjectKey, String>empty().with(owner, "part"),
        resource.clusters(),
        resource.provenance());
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void aProxyThatRunsTheBytesRunsTheNewOwnersPart(Protocol protocol) {
    Resource listener = TestResources.listener("l", "1");
    ads.serve(of(listener, TestResources.owner("p")));
    FakeXdsStream envoy = ads.envoy(protocol).all(ResourceType.LISTENER);
    envoy.accept(ResourceType.LISTENER);

    ads.snapshot = ads.snapshot.without(listener.id());
    ads.serve(of(listener, TestResources.owner("q")));

    assertThat(envoy.isQuiet()).isTrue();
    ProxyGroups.Group group = ProxyGroups.of(ads.server, node -> true).groups().iterator().next();
    assertThat(group.status(listener.id(), TestResources.owner("q"), "part"))
        .isEqualTo(PartStatus.RUNS);
    assertThat(group.status(listener.id(), TestResources.owner("q"), "other"))
        .isEqualTo(PartStatus.PENDING);
  }
}
