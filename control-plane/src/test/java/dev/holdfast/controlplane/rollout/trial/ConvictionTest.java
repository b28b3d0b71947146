// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.rollout.Fleet;
import dev.holdfast.controlplane.rollout.Policies;
import dev.holdfast.controlplane.rollout.fleet.ScoutProbe;
import dev.holdfast.controlplane.rollout.selection.Bundle;
import dev.holdfast.controlplane.translate.Translation;
import dev.holdfast.controlplane.translate.TranslationOptions;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who is to blame for canaries that were lost: something that they were shown. */
class ConvictionTest {
  private static final ConfigObject HOST = new Fleet().host("x", "1");
  private final ConfigObject policy = new Policies().of("policy", "x", "script");

  private List<ConfigObject> offenders(ConfigObject... shown) {
    SortedMap<ObjectKey, ConfigObject> both = new TreeMap<>();
    both.put(HOST.key(), HOST);
    both.put(policy.key(), policy);
    SortedMap<ObjectKey, Long> generations = new TreeMap<>();
    for (ConfigObject each : shown) {
      generations.put(each.key(), each.generation());
    }
    return new LostCanaries.Conviction(new Bundle(both), List.of(loss("e1", generations)))
        .offenders(Translation.empty(TranslationOptions.defaults()).with(new TreeMap<>(both)));
  }

  private static CanaryLosses.Loss loss(String node, SortedMap<ObjectKey, Long> shown) {
    return new CanaryLosses.Loss(
        node,
        "a",
        /* isSilent= */ false,
        shown,
        List.of(node),
        /* cold= */ false,
        /* trial= */ 1,
        /* began= */ 0,
        /* at= */ 100_000_000,
        /* isDeath= */ true,
        /* isAlone= */ true,
        /* isRestored= */ false);
  }

  private static LostCanaries.Conviction conviction(
      Map<CanaryLosses.Loss, ScoutProbe.ProcessEnd> ends, CanaryLosses.Loss... losses) {
    return new LostCanaries.Conviction(
        new Bundle(new TreeMap<>(Map.of(HOST.key(), HOST))),
        List.of(losses),
        ends,
        /* isProvisional= */ false);
  }

  /** Whoever runs a scout ends it when it hangs: that is not what the author should look for. */
  @Test
  void aProcessThatWasEndedBecauseItHungHasNotDied() {
    CanaryLosses.Loss first = loss("s1", new TreeMap<>());
    CanaryLosses.Loss second = loss("s2", new TreeMap<>());
    ScoutProbe.ProcessEnd hung = new ScoutProbe.ProcessEnd(true, "did not answer any more");
    ScoutProbe.ProcessEnd died = new ScoutProbe.ProcessEnd(false, "ended by SIGABRT");

    LostCanaries.Conviction both = conviction(Map.of(first, hung, second, hung), first, second);
    assertThat(both.isSilence()).isTrue();
    assertThat(both.text(1))
        .isEqualTo(
            "s1 went away 0.1 s after it received it (did not answer any more), "
                + "s2 went away 0.1 s after it received it (did not answer any more)");
    assertThat(conviction(Map.of(first, hung, second, died), first, second).isSilence()).isFalse();
    assertThat(conviction(Map.of(first, hung), first, second).isSilence()).isFalse();
    assertThat(conviction(Map.of(first, died), first).text(1))
        .isEqualTo("s1 went away 0.1 s after it received it (ended by SIGABRT)");
  }

  @Test
  void itIsThePolicyIfTheyWereShownBoth() {
    assertThat(offenders(HOST, policy)).containsExactly(policy);
  }

  /** Otherwise it would be acquitted at once, and the host would be tried again and again. */
  @Test
  void itIsTheHostIfTheyWereShownThatAlone() {
    assertThat(offenders(HOST)).containsExactly(HOST);
  }
}
