// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.base.Problem;
import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.DecodeOptions;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.decode.TypedConfig;
import io.envoyproxy.envoy.extensions.filters.http.fault.v3.HTTPFault;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** gRFC A33, the configuration. */
class FaultTest {
  private static final String ALL = " percentage { numerator: 100 }";
  private static final FaultShare WHOLE = new FaultShare(100, 10_000);

  private static FilterConfig.Fault fault(String config) {
    return (FilterConfig.Fault) Filters.config(Filters.FAULT, config);
  }

  @Test
  void emptyConfigurationDoesNothing() {
    assertThat(fault(""))
        .isEqualTo(new FilterConfig.Fault(null, null, FilterConfig.Fault.UNLIMITED));
  }

  @Test
  void delaysAreFixedOrLeftToAHeader() {
    assertThat(fault("delay { fixed_delay { seconds: 1 nanos: 5 }" + ALL + "}").delay())
        .isEqualTo(new FaultDelay(Duration.ofSeconds(1, 5), WHOLE));
    assertThat(fault("delay { header_delay {}" + ALL + "}").delay())
        .isEqualTo(new FaultDelay(null, WHOLE));
  }

  @Test
  void abortsHaveAStatusOfGrpcOrOfHttpOrLeaveItToAHeader() {
    assertThat(fault("abort { grpc_status: 14" + ALL + "}").abort())
        .isEqualTo(new FaultAbort(new FaultAbort.GrpcStatus(14), WHOLE));
    assertThat(fault("abort { http_status: 503" + ALL + "}").abort())
        .isEqualTo(new FaultAbort(new FaultAbort.HttpStatus(503), WHOLE));
    assertThat(fault("abort { header_abort {}" + ALL + "}").abort())
        .isEqualTo(new FaultAbort(new FaultAbort.Header(), WHOLE));
  }

  @ParameterizedTest
  @CsvSource({
    "HUNDRED, 25, 250000",
    "HUNDRED, 101, 1000000",
    "HUNDRED, 4294967295, 1000000",
    "TEN_THOUSAND, 25, 2500",
    "TEN_THOUSAND, 4294967295, 1000000",
    "MILLION, 25, 25",
    "MILLION, 4294967295, 1000000",
    "MILLION, 0, 0"
  })
  void sharesHaveOneOfThreeDenominators(String denominator, String numerator, int perMillion) {
    FaultAbort abort =
        fault(
                "abort { grpc_status: 1 percentage { numerator: "
                    + numerator
                    + " denominator: "
                    + denominator
                    + "} }")
            .abort();
    assertThat(abort).isNotNull();
    assertThat(abort.share().perMillion()).isEqualTo(perMillion);
  }

  @Test
  void shareThatIsNotSetIsNone() {
    FaultAbort abort = fault("abort { grpc_status: 1 }").abort();
    assertThat(abort).isNotNull();
    assertThat(abort.share().perMillion()).isZero();
  }

  @Test
  void callCanOnlyMakeTheShareSmallerAndInTheSameParts() {
    FaultShare share = new FaultShare(50, 100);
    assertThat(share.perMillion(7)).isEqualTo(700);
    assertThat(share.perMillion(50)).isEqualTo(5_000);
    assertThat(share.perMillion(51)).isEqualTo(5_000);
    assertThat(share.perMillion(Long.MAX_VALUE)).isEqualTo(5_000);
    assertThat(share.perMillion(-1)).isZero();
  }

  @Test
  void limitOfActiveFaultsIsUnsigned() {
    assertThat(fault("max_active_faults { value: 4294967295 }").maxActiveFaults())
        .isEqualTo(4_294_967_295L);
    assertThat(fault("max_active_faults {}").maxActiveFaults()).isZero();
  }

  @Test
  void whatTheGrfcDefersIsIgnored() {
    assertThat(
            fault(
                "upstream_cluster: 'c' downstream_nodes: 'n' headers { name: 'x' } "
                    + "delay_percent_runtime: 'r' response_rate_limit {}"))
        .isEqualTo(fault(""));
  }

  @Test
  void everyProblemIsToldInOrder() {
    assertThat(
            Filters.problems(
                Filters.FAULT, "delay { fixed_delay { seconds: -1 } } abort { http_status: 199 }"))
        .containsExactly(
            "delay.fixed_delay: -1 s (expected: not negative)",
            "abort.http_status: 199 (expected: 200 to 599)");
    assertThat(Filters.problems(Filters.FAULT, "delay {} abort {}"))
        .containsExactly(
            "delay: no kind of delay (expected: fixed_delay or header_delay)",
            "abort: no kind of abort (expected: grpc_status, http_status or header_abort)");
    assertThat(Filters.problems(Filters.FAULT, "abort { http_status: 600 }"))
        .containsExactly("abort.http_status: 600 (expected: 200 to 599)");
  }

  @Test
  void denominatorThatThereIsNotIsRefused() {
    HTTPFault.Builder fault = HTTPFault.newBuilder();
    fault.getDelayBuilder().getHeaderDelayBuilder();
    fault.getDelayBuilder().getPercentageBuilder().setDenominatorValue(7);
    Problems problems = new Problems();
    new FaultType()
        .decode(
            new TypedConfig("t", fault.build().toByteString(), null),
            new Decoding(DecodeOptions.defaults()),
            problems);
    assertThat(problems.list())
        .extracting(Problem::toString)
        .containsExactly(
            "delay.percentage.denominator: 7 (expected: HUNDRED, TEN_THOUSAND or MILLION)");
  }

  @Test
  void overrideIsOfTheSameType() {
    assertThat(Filters.override(Filters.FAULT, "abort { grpc_status: 14" + ALL + "}"))
        .isEqualTo(fault("abort { grpc_status: 14" + ALL + "}"));
    assertThat(Filters.overrideProblems(Filters.FAULT, "abort {}"))
        .containsExactly(
            "abort: no kind of abort (expected: grpc_status, http_status or header_abort)");
  }
}
