// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.config.ConfigObject;
import dev.holdfast.controlplane.rollout.search.Incident;
import dev.holdfast.controlplane.rollout.search.IncidentRecorder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is written down of a rejection. */
class IncidentRecordingTest {
  private final Fleet fleet = new Fleet();

  @Test
  void everyTrialIsInTheRecordWithWhoTriedItAndWhatCameOfIt() {
    fleet.join("e1").join("e2").change(fleet.host("a", "good"));
    List<ConfigObject> hosts = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      hosts.add(fleet.host("h" + i, i == 5 ? Fleet.BAD : "good"));
    }
    fleet.change(hosts);

    assertThat(fleet.ended).hasSize(1);
    Incident incident = fleet.ended.get(0);
    assertThat(incident.changes()).isEqualTo(8);
    assertThat(incident.pushed())
        .extracting(push -> push.changes() + " " + push.answer() + " " + push.canaries().get(0))
        .containsExactly(
            "8 REFUSED e1",
            "4 ACCEPTED e1",
            "6 REFUSED e1",
            "5 ACCEPTED e1",
            "5 ACCEPTED e2",
            "1 REFUSED e2",
            "2 ACCEPTED e1",
            "2 ACCEPTED e2");
    assertThat(incident.pushes()).isEqualTo(7);
    assertThat(incident.offenders())
        .singleElement()
        .satisfies(
            blame -> {
              assertThat(blame.object().name()).isEqualTo("h5");
              assertThat(blame.generation()).isEqualTo(1);
              assertThat(blame.evidence()).isEqualTo(fleet.evidence.get(0));
            });
    assertThat(incident.took()).isNotNull();
  }

  @Test
  void aRecordThatIsTooLongSaysSo() {
    fleet.join("e1").change(fleet.host("a", "good"));
    List<ConfigObject> hosts = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      hosts.add(fleet.host("h" + i, i % 2 == 0 ? Fleet.BAD : "good"));
    }
    fleet.change(hosts);

    assertThat(fleet.ended).hasSize(1);
    assertThat(fleet.ended.get(0).steps())
        .hasSize(IncidentRecorder.MOST_STEPS)
        .endsWith(IncidentRecorder.MORE_STEPS);
  }

  @Test
  void itEndsWhenWhatIsLeftIsAcceptedWhateverComesUpMeanwhile() {
    fleet.join("e1").change(fleet.host("a", "good"));
    fleet.change(fleet.host("b", Fleet.BAD), fleet.host("c", Fleet.BAD), fleet.host("d", "good"));

    assertThat(fleet.ended).hasSize(1);
    assertThat(fleet.ended.get(0).offendingObjects()).hasSize(2);
    fleet.change(fleet.host("e", Fleet.BAD));
    assertThat(fleet.ended).hasSize(2);
    assertThat(fleet.ended.get(1).pushed()).hasSize(1);
    assertThat(fleet.ended.get(1).id()).isEqualTo(fleet.ended.get(0).id() + 1);
  }
}
