// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Position;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Everything at a glance. */
class SummaryJsonTest {
  @Test
  void theNumbersAreThoseOfTheMetrics() throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      String text = admin.get("/api/v1/summary").body();

      assertThat(text.replaceFirst("\"now\":\"[^\"]+Z\"", "'now':''").replace('"', '\''))
          .isEqualTo(
              "{'version':'1.2.3','now':'','ready':true,"
                  + "'objects':{'total':5,'byKind':{'HTTPProxy':2,'Service':3},"
                  + "'programmed':{'Programmed':4,'Rejected':1},"
                  + "'held':{'Rejected':1,'RejectedNew':0},'invalid':1,'states':{'invalid':0,'partial':3}},"
                  + "'proxies':{'connected':2,'streams':3,'diverged':1,'unable':1},'fleets':[],"
                  + "'resources':5,'responses':10,'acks':8,'nacks':3,'problems':9,'warnings':2,'deletionsWaiting':0,'sourceProblems':[],'stateProblem':null}");
    }
  }

  @Test
  void whatIsWrongWithTheSourceIsToldWithItsPlace() throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      admin.reports.sourceProblems =
          List.of(
              new LocatedProblem(
                  new Problem("spec", Problem.Kind.INVALID, "odd"),
                  new Position("shop.yaml", 3, 1)));
      admin.reports.ready = false;

      assertThat(admin.get("/api/v1/summary").body())
          .contains("\"ready\":false")
          .contains("\"sourceProblems\":[\"shop.yaml:3:1: spec: odd\"]");
    }
  }

  @Test
  void itHasNoParameters() throws Exception {
    try (RunningAdmin admin = new RunningAdmin()) {
      assertThat(admin.get("/api/v1/summary?a=b").statusCode()).isEqualTo(400);
    }
  }
}
