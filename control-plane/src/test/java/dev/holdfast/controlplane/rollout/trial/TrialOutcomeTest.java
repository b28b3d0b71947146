// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.base.PersistentMap;
import dev.holdfast.controlplane.rollout.fleet.Verdict;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** When a trial is accepted, refused or open, from the verdicts of its canaries. */
class TrialOutcomeTest {
  private static final Verdict.Refused REFUSED =
      new Verdict.Refused(
          "envoy",
          "envoy 1.39.0",
          new Resource(
              new ResourceId(ResourceType.ROUTES, "r"),
              "1",
              ByteString.EMPTY,
              Resource.Audience.ALL,
              PersistentMap.empty(),
              PersistentMap.empty(),
              List::of),
          "bad route");

  private static TrialOutcome of(boolean overdue, Map<String, Verdict> verdicts) {
    return TrialOutcome.of(List.copyOf(new TreeMap<>(verdicts).keySet()), verdicts::get, overdue);
  }

  @Test
  void itIsAcceptedOnceEveryCanaryAccepted() {
    assertThat(of(false, Map.of("a", Verdict.ACCEPTED, "b", Verdict.ACCEPTED)))
        .isEqualTo(TrialOutcome.ACCEPTED);
    assertThat(of(false, Map.of("a", Verdict.ACCEPTED, "b", Verdict.OPEN)))
        .isEqualTo(TrialOutcome.UNDECIDED);
  }

  @Test
  void oneRefusalDecidesWhileOthersHaveNotAnswered() {
    assertThat(of(false, Map.of("a", Verdict.OPEN, "b", REFUSED)))
        .isEqualTo(new TrialOutcome.Refused("b", REFUSED));
  }

  @Test
  void aCanaryThatLeftOrIsLateHasNotAnswered() {
    assertThat(of(false, Map.of("a", Verdict.GONE, "b", Verdict.ACCEPTED)))
        .isEqualTo(new TrialOutcome.Lost("a", false));
    assertThat(of(true, Map.of("a", Verdict.ACCEPTED, "b", Verdict.OPEN)))
        .isEqualTo(new TrialOutcome.Lost("b", true));
  }

  @Test
  void everyKindOfVerdictHasARule() {
    for (Verdict verdict : List.of(Verdict.OPEN, Verdict.ACCEPTED, Verdict.GONE, REFUSED)) {
      assertThat(of(false, Map.of("a", verdict)).kind()).isNotNull();
    }
    assertThat(Verdict.Kind.values()).hasSize(4);
  }
}
