// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Env;
import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectChanges;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.config.StateStore;
import dev.holdfast.controlplane.translate.TranslationOptions;
import dev.holdfast.testkit.ManualExecutor;
import dev.holdfast.testkit.ManualTime;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** When proxies may be served. */
class ReadinessTest {
  private final ManualExecutor executor = new ManualExecutor();
  private final ControlPlane plane =
      new ControlPlane(
          new Env(executor, new ManualTime(), new SplittableRandom(1)),
          executor,
          new ControlPlaneOptions("test", TranslationOptions.defaults()),
          StateStore.inMemory(),
          statuses -> {});

  @Test
  void aSourceWithoutObjectsIsAConfiguration() {
    report(/* complete= */ true);

    assertThat(plane.ready()).isTrue();
  }

  @Test
  void aSourceThatCannotBeReadIsNone() {
    assertThat(plane.ready()).isFalse();
    report(/* complete= */ false);
    assertThat(plane.ready()).isFalse();

    report(/* complete= */ true);
    assertThat(plane.ready()).isTrue();
    report(/* complete= */ false);
    assertThat(plane.ready()).as("what was served is served on").isTrue();
  }

  private void report(boolean complete) {
    TreeMap<ObjectKey, ConfigObject> nothing = new TreeMap<>();
    plane.onChange(
        ObjectChanges.between(nothing, nothing, List.of()).with(new TreeMap<>(), complete));
    executor.runAll();
  }
}
