// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.trial.DisagreementPolicy;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Somebody writes something new whenever the server gets to hear what proxies say. */
class ConstantEditsTest {
  private final MixedFleet fleet = new MixedFleet(DisagreementPolicy.UNIFORM);

  private void writeBeforeAnybodyLooks(ConfigObject object) {
    fleet.run(() -> fleet.rollouts.change(new TreeMap<>(Map.of(object.key(), object))));
  }

  @Test
  void whatWasAnsweredMeanwhileCounts() {
    fleet.join("e1", "envoy", Fleet.BAD);
    Fleet.Member proxy = fleet.proxy("e1");
    ConfigObject first = fleet.host("a", "1");
    proxy.mute = proxy.pushes + 1;
    writeBeforeAnybodyLooks(first);
    assertThat(fleet.accepted).isEmpty();

    proxy.speak();
    proxy.mute = proxy.pushes + 1;
    writeBeforeAnybodyLooks(fleet.host("b", "1"));

    assertThat(fleet.accepted).containsOnlyKeys(first.key());
  }
}
