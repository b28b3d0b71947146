// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.holdfast.cli.client.ObjectName;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When waiting is over, and what came of it. */
class WaitResultTest {
  private static final WaitTarget GOAL =
      new WaitTarget(new ObjectName("HTTPProxy", "shop", "web"), 2);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          programmed | True/Programmed                     | 0
          programmed | Unknown/Pending                     | 4
          programmed | False/AttributionPending            | 4
          programmed | False/NotReferenced                 | 4
          programmed | none                                | 4
          programmed | False/Rejected                      | 3
          programmed | False/RejectedNew                   | 3
          programmed | False/Invalid                       | 3
          programmed | False/InvalidNew                    | 3
          programmed | False/Conflict                      | 3
          programmed | Unknown/NoDataPlane/False           | 3
          programmed | Unknown/Pending/False               | 3
          applied    | Unknown/Pending/False True/Programmed | 3
          removed    | Unknown/Pending/False               | 4
          programmed | False/DependencyRejected            | 3
          programmed | False/Rejected Unknown/Pending      | 3
          applied    | False/NotReferenced                 | 0
          applied    | False/NotReferenced Unknown/Pending | 4
          applied    | False/NotReferenced True/Programmed | 0
          applied    | none True/Programmed                | 4
          removed    | none                                | 0
          removed    | True/Programmed                     | 4
          removed    | False/Rejected                      | 4
          """)
  void theExitCodeFollowsFromAllObjects(WaitCondition waitFor, String conditions, int exitCode) {
    assertThat(outcome(waitFor, conditions).exitCode()).isEqualTo(exitCode);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          False/InvalidNew         | true
          False/InvalidNew none    | false
          False/Rejected none      | false
          False/DependencyRejected none | false
          """)
  void whatMayLackObjectsThatAreNotSeenYetIsWaitedFor(String conditions, boolean over) {
    assertThat(outcome(WaitCondition.applied, conditions).over()).isEqualTo(over);
  }

  @ParameterizedTest
  @CsvSource({"1, UNSEEN", "2, PENDING"})
  void whatIsSaidOfAnotherGenerationDoesNotCount(long generation, ObjectProgress.State state) {
    JsonObject report = report("True/Programmed");
    report.addProperty("generation", generation);
    report
        .getAsJsonArray("conditions")
        .get(0)
        .getAsJsonObject()
        .addProperty("observedGeneration", 1);

    assertThat(ObjectProgress.of(GOAL, WaitCondition.programmed, report).state()).isEqualTo(state);
  }

  private static WaitResult outcome(WaitCondition waitFor, String conditions) {
    List<ObjectProgress> objects =
        Arrays.stream(conditions.split(" "))
            .map(
                condition ->
                    ObjectProgress.of(
                        GOAL, waitFor, condition.equals("none") ? none() : report(condition)))
            .toList();
    return WaitResult.of(objects, waitFor);
  }

  private static @Nullable JsonObject none() {
    return null;
  }

  private static JsonObject report(String condition) {
    String[] parts = condition.split("/", -1);
    return JsonParser.parseString(
            """
            {"generation": 2, "conditions": [{"type": "Programmed", "status": "%s",
              "reason": "%s", "observedGeneration": 2}, {"type": "Valid", "status": "%s",
              "reason": "", "observedGeneration": 2}]}
            """
                .formatted(parts[0], parts[1], parts.length == 3 ? parts[2] : "True"))
        .getAsJsonObject();
  }
}
