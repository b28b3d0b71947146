// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.Fleet;
import dev.holdfast.controlplane.rollout.Policies;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who is to blame for canaries that were lost: something that they were shown. */
class ConvictionTest {
  private final ConfigObject host = new Fleet().host("x", "1");
  private final ConfigObject policy = new Policies().of("policy", "x", "script");

  private List<ConfigObject> offenders(ConfigObject... shown) {
    SortedMap<ObjectKey, ConfigObject> both = new TreeMap<>();
    both.put(host.key(), host);
    both.put(policy.key(), policy);
    SortedMap<ObjectKey, Long> generations = new TreeMap<>();
    for (ConfigObject each : shown) {
      generations.put(each.key(), each.generation());
    }
    CanaryLosses.Loss loss =
        new CanaryLosses.Loss(
            "e1",
            "a",
            /* isSilent= */ false,
            generations,
            List.of("e1"),
            /* cold= */ false,
            /* trial= */ 1,
            /* began= */ 0,
            /* at= */ 0,
            /* isDeath= */ true,
            /* isAlone= */ true,
            /* isRestored= */ false);
    return new LostCanaries.Conviction(new Bundle(both), List.of(loss))
        .offenders(Translation.empty(TranslationOptions.defaults()).with(new TreeMap<>(both)));
  }

  @Test
  void itIsThePolicyIfTheyWereShownBoth() {
    assertThat(offenders(host, policy)).containsExactly(policy);
  }

  /** Otherwise it would be acquitted at once, and the host would be tried again and again. */
  @Test
  void itIsTheHostIfTheyWereShownThatAlone() {
    assertThat(offenders(host)).containsExactly(host);
  }
}
