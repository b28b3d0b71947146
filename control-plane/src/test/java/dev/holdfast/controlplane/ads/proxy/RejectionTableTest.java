// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.ads.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.controlplane.ads.TestResources;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is remembered of rejections fits into memory, however many proxies reject how much. */
class RejectionTableTest {
  private static final long MOST = 1 << 20;

  private final Set<String> connected = new HashSet<>();
  private final RejectionTable table = new RejectionTable(connected::contains, MOST);

  private void reject(String node, int count) {
    RejectedVersions rejected = table.of(node);
    for (int i = 0; i < count; i++) {
      rejected.add(
          new ResourceId(ResourceType.CLUSTER, "c" + i), "v" + i, "x".repeat(1000), Instant.EPOCH);
    }
  }

  @Test
  void connectedProxiesThatRejectWithoutEndKeepTheNewest() {
    connected.add("a");
    connected.add("b");
    Resource one = TestResources.cluster("one", "1");
    table.of("b").add(one.id(), one.version(), "no", Instant.EPOCH);
    reject("a", 100_000);

    assertThat(table.weight()).isLessThanOrEqualTo(MOST);
    assertThat(table.of("b").contains(one)).as("nobody else has to forget").isTrue();
    assertThat(table.of("a").isEmpty()).isFalse();
  }

  @Test
  void thoseThatAreGoneAreForgottenFirst() {
    connected.add("a");
    reject("gone", 900);
    table.left("gone");
    reject("a", 500);

    assertThat(table.of("gone").isEmpty()).isTrue();
    assertThat(table.of("a").weight()).isEqualTo(500 * 1200L);
  }

  @Test
  void namesThatComeAndGoAreNotRemembered() {
    for (int i = 0; i < 100_000; i++) {
      table.of("node-" + i);
      table.left("node-" + i);
    }
    assertThat(table.size()).isZero();
    for (int i = 0; i < 20_000; i++) {
      table.of("node-" + i).add(id(), "v", "", Instant.EPOCH);
      table.left("node-" + i);
    }
    assertThat(table.size()).isLessThanOrEqualTo(RejectionTable.MAX_PROXIES);
  }

  @Test
  void processesThatLostTheirNamesAreForgottenBeforeAllOthers() {
    reject("gone", 100);
    table.left("gone");
    for (int i = 0; i < 20_000; i++) {
      table.setAside(i, Map.of(new RejectedVersions.Key(id(), "v" + i), reason("x".repeat(1000))));
      assertThat(table.weight()).isLessThanOrEqualTo(MOST);
    }

    table.takeBack(0, "eldest");
    table.takeBack(19_999, "newest");
    assertThat(table.of("eldest").isEmpty()).isTrue();
    assertThat(table.of("newest").versions())
        .containsExactly(new RejectedVersions.Key(id(), "v19999"));
    assertThat(table.of("gone").isEmpty()).isFalse();
  }

  private static RejectedVersions.Reason reason(String message) {
    return new RejectedVersions.Reason(message, Instant.EPOCH, /* local= */ false);
  }

  private static ResourceId id() {
    return new ResourceId(ResourceType.CLUSTER, "c");
  }
}
