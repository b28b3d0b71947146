// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of docs/check.md. */
class ProbeVerdictTest {
  @ParameterizedTest
  @CsvSource({
    "FORWARD,  ANSWERED, 200, true,  '',                 FINE",
    "FORWARD,  ANSWERED, 200, false, '',                 FINE",
    "FORWARD,  ANSWERED, 301, false, '',                 FINE",
    "FORWARD,  ANSWERED, 403, false, RBAC,               FINE",
    "FORWARD,  ANSWERED, 404, false, '',                 ELSEWHERE",
    "FORWARD,  ANSWERED, 500, false, '',                 FAILED",
    "FORWARD,  ANSWERED, 503, false, no healthy,         FAILED",
    "FORWARD,  ANSWERED, 503, false, fault filter abort, FINE",
    "FORWARD,  CLOSED,   0,   false, '',                 FAILED",
    "FORWARD,  SILENT,   0,   false, '',                 FAILED",
    "FORWARD,  NO_TLS,   0,   false, '',                 UNKNOWN",
    "ANSWER,   ANSWERED, 503, false, '',                 FINE",
    "ANSWER,   ANSWERED, 500, false, '',                 FAILED",
    "ANSWER,   ANSWERED, 200, true,  '',                 ELSEWHERE",
    "REDIRECT, ANSWERED, 302, false, '',                 FINE",
    "REDIRECT, ANSWERED, 404, false, '',                 ELSEWHERE",
    "REDIRECT, CLOSED,   0,   false, '',                 FAILED"
  })
  void verdicts(
      RouteProbe.Expected expected,
      ProbeAnswer.Kind kind,
      int status,
      boolean isFromSink,
      String text,
      ProbeVerdict verdict) {
    RouteProbe probe =
        new RouteProbe(
            0,
            0,
            expected,
            expected == RouteProbe.Expected.ANSWER ? 503 : 0,
            null,
            "",
            /* isShadowed= */ false);

    assertThat(ProbeVerdict.of(probe, new ProbeAnswer(kind, status, isFromSink, text)))
        .isEqualTo(verdict);
  }
}
