// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.selection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.translate.YamlObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Grouping and ordering takes time in proportion to the objects, however they refer to one another.
 * There are so many that anything worse would take hours, so the timeout cannot be reached by
 * chance.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class BundleBuilderCostTest {
  private static final int MANY = 20_000;

  /** A long chain, in which the first by name is the last that is found. */
  private static SortedMap<ObjectKey, ConfigObject> chain() {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < MANY; i++) {
      yaml.append("---\n{apiVersion: projectcontour.io/v1, kind: HTTPProxy, metadata: {name: ")
          .append(name(i))
          .append("}, spec: {includes: [{name: ")
          .append(name(i + 1))
          .append("}]}}\n");
    }
    return YamlObjects.objects(yaml.toString());
  }

  private static String name(int i) {
    return "p%06d".formatted(i);
  }

  private static ObjectKey key(int i) {
    return new ObjectKey("HTTPProxy", "default", name(i));
  }

  @Test
  void aChainOfReferences() {
    SortedMap<ObjectKey, ConfigObject> objects = chain();
    assertThat(BundleBuilder.dependents(key(MANY), objects.values())).hasSize(MANY);
    List<Bundle> bundles = BundleBuilder.of(objects.values(), key -> null);
    assertThat(bundles).hasSize(1);
    List<Bundle> apart = BundleBuilder.apart(bundles.get(0), key -> true);
    List<ObjectKey> order = new ArrayList<>();
    apart.forEach(bundle -> order.addAll(bundle.objects().keySet()));
    assertThat(order).hasSize(MANY).startsWith(key(MANY - 1)).endsWith(key(0));
  }
}
