// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.config.ConditionDetail;
import dev.holdfast.config.ConditionDetail.Severity;
import dev.holdfast.config.LocatedProblem;
import dev.holdfast.config.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each problem of an object stands by itself, under a type that users of Contour know. */
class ProblemDetailsTest {
  private static LocatedProblem problem(String path, Problem.Kind kind) {
    return new LocatedProblem(new Problem(path, kind, "wrong"), Position.of("f"));
  }

  @ParameterizedTest
  @CsvSource({
    "spec.routes[0].services[1].port, ServiceError",
    "spec.routes[0].conditions[0].regex, RouteError",
    "spec.routes[2].pathRewritePolicy, PrefixReplaceError",
    "spec.routes[2].ipDenyPolicy[0].cidr, IPFilterError",
    "spec.includes[0], IncludeError",
    "spec.virtualhost.fqdn, VirtualHostError",
    "spec.virtualhost.tls.secretName, TLSError",
    "spec.virtualhost.corsPolicy.allowOrigin, CORSError",
    "spec.virtualhost.authorization.extensionRef, AuthError",
    "spec.tcpproxy.services[0], TCPProxyError",
    "spec.tcpproxy.include, TCPProxyIncludeError",
    "metadata.namespace, RootNamespaceError",
    "spec.surprise, SpecError",
    "'', SpecError"
  })
  void theTypeFollowsThePath(String path, String type) {
    assertThat(
            ProblemDetails.of(List.of(problem(path, Problem.Kind.REQUIRED)), List.of(), List.of()))
        .containsExactly(
            new ConditionDetail(
                Severity.ERROR, type, "Required", problem(path, Problem.Kind.REQUIRED).toString()));
  }

  @Test
  void aServiceThatIsNotThereIsAnUnresolvedReference() {
    assertThat(
            ProblemDetails.of(
                List.of(),
                List.of(problem("spec.routes[0].services[0]", Problem.Kind.INVALID)),
                List.of()))
        .extracting(ConditionDetail::severity, ConditionDetail::reason)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(Severity.WARNING, "ServiceUnresolvedReference"));
  }

  @Test
  void warningsOfScoutsAreTold() {
    List<ConditionDetail> details =
        ProblemDetails.of(List.of(), List.of(), List.of("web.yaml:3:1: scout: GET /: 503"));

    assertThat(details)
        .containsExactly(
            new ConditionDetail(
                Severity.WARNING,
                "ScoutWarning",
                "ProbeFailed",
                "web.yaml:3:1: scout: GET /: 503"));
    assertThat(ProblemDetails.ofScouts(details)).containsExactly("web.yaml:3:1: scout: GET /: 503");
  }

  @Test
  void thereIsAnEndToThem() {
    List<LocatedProblem> many = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      many.add(problem("spec.x".repeat(10_000), Problem.Kind.INVALID));
    }
    assertThat(ProblemDetails.of(many, many, Collections.nCopies(1_000, "x".repeat(10_000))))
        .hasSize(96)
        .allSatisfy(detail -> assertThat(detail.message()).hasSizeLessThan(1_100));
  }
}
