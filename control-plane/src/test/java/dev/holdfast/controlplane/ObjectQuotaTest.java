// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.translate.YamlObjects;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One object more than there may be waits, and changes nothing for the others. */
final class ObjectQuotaTest {
  private final ObjectQuota quota = new ObjectQuota(3);
  private final SortedMap<ObjectKey, ConfigObject> source = new TreeMap<>();

  private static ConfigObject object(String name) {
    return YamlObjects.objects(
            """
            apiVersion: projectcontour.io/v1
            kind: HTTPProxy
            metadata: {name: %s}
            spec: {virtualhost: {fqdn: %s.example.com}}
            """
                .formatted(name, name))
        .values()
        .iterator()
        .next();
  }

  private static ObjectKey key(String name) {
    return new ObjectKey("HTTPProxy", "default", name);
  }

  private ObjectChanges put(String... names) {
    SortedMap<ObjectKey, ConfigObject> before = new TreeMap<>(source);
    for (String name : names) {
      source.put(key(name), object(name));
    }
    return quota.limit(ObjectChanges.between(before, source, List.of()));
  }

  private ObjectChanges remove(String name) {
    SortedMap<ObjectKey, ConfigObject> before = new TreeMap<>(source);
    source.remove(key(name));
    return quota.limit(ObjectChanges.between(before, source, List.of()));
  }

  @Test
  void thereIsRoomUpToTheLimit() {
    assertThat(put("a", "b", "c").added()).hasSize(3);
    assertThat(quota.waiting()).isEmpty();
  }

  @Test
  void oneMoreWaitsAndWhoIsThereStays() {
    put("b", "c", "d");
    assertThat(put("a").added()).isEmpty();
    assertThat(quota.waiting()).containsOnlyKeys(key("a"));
    assertThat(quota.reason()).contains("limit objects");
  }

  @Test
  void aDeletionMakesRoom() {
    put("b", "c", "d", "e");
    assertThat(quota.waiting()).containsOnlyKeys(key("e"));
    ObjectChanges changes = remove("c");
    assertThat(changes.removed()).containsExactly(key("c"));
    assertThat(changes.added()).containsOnlyKeys(key("e"));
    assertThat(quota.waiting()).isEmpty();
  }

  @Test
  void oneThatWaitsIsDeletedWithoutATrace() {
    put("b", "c", "d", "e");
    ObjectChanges changes = remove("e");
    assertThat(changes.hasNoObjectChanges()).isTrue();
    assertThat(quota.waiting()).isEmpty();
  }

  @Test
  void afterARestartThoseThatWereServedGoFirst() {
    quota.restore(List.of(key("x"), key("y")));
    assertThat(put("a", "b", "c", "x", "y").added().keySet())
        .containsExactly(key("a"), key("x"), key("y"));
  }

  @Test
  void whateverComesThereIsNeverMore() {
    for (int i = 0; i < 100; i++) {
      put("n" + i);
    }
    int taken = 3;
    assertThat(quota.waiting()).hasSize(100 - taken);
    for (int i = 0; i < 100; i++) {
      ObjectChanges changes = remove("n" + i);
      taken += changes.added().size() - changes.removed().size();
      assertThat(taken).isLessThanOrEqualTo(3);
    }
    assertThat(taken).isZero();
  }
}
