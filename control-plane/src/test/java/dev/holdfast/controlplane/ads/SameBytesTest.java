// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.PersistentMap;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An object is renamed: the same bytes are somebody else's now, and are not sent again. */
class SameBytesTest {
  private final Ads ads = new Ads();

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
  void whoRunsThemRunsTheNewOwnersPart(Protocol protocol) {
    Resource listener = Served.listener("l", "1");
    ads.serve(of(listener, Served.owner("p")));
    Stream envoy = ads.envoy(protocol).all(ResourceType.LISTENER);
    envoy.accept(ResourceType.LISTENER);

    ads.snapshot = ads.snapshot.without(listener.id());
    ads.serve(of(listener, Served.owner("q")));

    assertThat(envoy.isQuiet()).isTrue();
    Fleet.Group group = Fleet.of(ads.server, node -> true).groups().iterator().next();
    assertThat(group.standing(listener.id(), Served.owner("q"), "part")).isEqualTo(Standing.RUNS);
    assertThat(group.standing(listener.id(), Served.owner("q"), "other"))
        .isEqualTo(Standing.PENDING);
  }
}
