// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.xds.resources.DecodeOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Timeouts (gRFC A31) and retries (gRFC A44) of calls, as a channel is told them. */
class TermsTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "unset",
      value = {
        // grpc_timeout_header_max, max_stream_duration, the listener's, what comes out
        "unset, unset, 0, unset",
        "unset, unset, 10, 10.000000000s",
        "unset, 0s, 10, unset",
        "unset, 1.5s, 10, 1.500000000s",
        "0s, 1.5s, 10, unset",
        "3s, 1.5s, 10, 3.000000000s",
        "0.000000001s, unset, 0, 0.000000001s"
      })
  void a31TimeoutOfARoute(String headerMax, String max, long listener, String expected) {
    String limits =
        (headerMax == null ? "" : "\"grpc_timeout_header_max\": \"" + headerMax + "\"")
            + (headerMax == null || max == null ? "" : ", ")
            + (max == null ? "" : "\"max_stream_duration\": \"" + max + "\"");
    Routing it =
        new Routing()
            .maxStreamDuration(Duration.ofSeconds(listener))
            .routes(route("\"max_stream_duration\": {" + limits + "}"));
    assertThat(it.terms("S/M"))
        .isEqualTo(
            expected == null
                ? Map.of()
                : Map.of(
                    "methodConfig",
                    List.of(Map.of("name", List.of(Map.of()), "timeout", expected))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}                               | none",
        "{'retry_on': '5xx,gateway-error'} | none",
        "{'retry_on': 'unavailable'}       | 2 0.025 0.250 UNAVAILABLE",
        "{'retry_on': 'cancelled,deadline-exceeded,internal,resource-exhausted,unavailable,x'} |"
            + " 2 0.025 0.250 CANCELLED,DEADLINE_EXCEEDED,INTERNAL,RESOURCE_EXHAUSTED,UNAVAILABLE",
        "{'retry_on': 'internal', 'num_retries': 3} | 4 0.025 0.250 INTERNAL",
        "{'retry_on': 'internal', 'num_retries': 4} | 5 0.025 0.250 INTERNAL",
        "{'retry_on': 'internal', 'num_retries': 400} | 5 0.025 0.250 INTERNAL",
        "{'retry_on': 'internal', 'retry_back_off': {'base_interval': '0.1s'}} |"
            + " 2 0.100 1.000 INTERNAL",
        "{'retry_on': 'internal', 'retry_back_off': {'base_interval': '0.1s',"
            + " 'max_interval': '0.3s'}} | 2 0.100 0.300 INTERNAL",
        "{'retry_on': 'internal', 'retry_back_off': {'base_interval': '0.0001s',"
            + " 'max_interval': '0.0002s'}} | 2 0.001 0.001 INTERNAL",
        "{'retry_on': 'internal', 'per_try_timeout': '1s', 'retry_host_predicate':"
            + " [{'name': 'x'}]} | 2 0.025 0.250 INTERNAL"
      })
  void a44RetryPolicyOfARoute(String policy, String expected) {
    Routing it =
        new Routing().routes(route("\"retry_policy\": " + policy.strip().replace('\'', '"')));
    assertThat(it.terms("S/M")).isEqualTo(expected.equals("none") ? Map.of() : retry(expected));
  }

  @Test
  void a44PolicyOfTheVirtualHostIsForRoutesWithoutOne() {
    Routing it =
        new Routing()
            .host(
                """
                "retry_policy": {"retry_on": "internal"}, "routes": [
                  {"match": {"prefix": "/Own"}, "route": {"cluster": "c",
                    "retry_policy": {"retry_on": "unavailable"}}},
                  {"match": {"prefix": "/None"}, "route": {"cluster": "c",
                    "retry_policy": {"retry_on": "5xx"}}},
                  {"match": {"prefix": ""}, "route": {"cluster": "c"}}]
                """);
    assertThat(it.terms("Own/M")).isEqualTo(retry("2 0.025 0.250 UNAVAILABLE"));
    assertThat(it.terms("None/M")).isEqualTo(Map.of());
    assertThat(it.terms("S/M")).isEqualTo(retry("2 0.025 0.250 INTERNAL"));
  }

  @Test
  void a44PolicyIsIgnoredWhereRetriesAreOff() {
    Routing it = new Routing();
    it.router.use(
        it.config(
            "\"routes\": [" + route("\"retry_policy\": {\"retry_on\": \"internal\"}") + "]",
            DecodeOptions.defaults().withRetryEnabled(false)),
        () -> {});
    assertThat(it.terms("S/M")).isEqualTo(Map.of());
  }

  @Test
  void termsAreParsedOncePerUpdateAndNeverForACall() {
    String routes =
        route("\"retry_policy\": {\"retry_on\": \"internal\"}")
            + ","
            + route("\"retry_policy\": {\"retry_on\": \"internal\"}");
    Routing it = new Routing().routes(routes);
    int before = it.parsed.size();
    Object terms = it.terms("S/M");
    assertThat(it.terms("S/M")).isSameAs(terms);
    assertThat(it.parsed).hasSize(before);

    it.routes(routes + "," + route("\"max_stream_duration\": {\"max_stream_duration\": \"1s\"}"));
    assertThat(it.terms("S/M")).isSameAs(terms);
    assertThat(it.parsed).as("only what is new").hasSize(before + 1);
  }

  @Test
  void autoHostRewriteIsForServersThatAreTrusted() {
    Routing it = new Routing();
    String host = "\"routes\": [" + route("\"auto_host_rewrite\": true") + "]";
    it.router.use(it.config(host), () -> {});
    assertThat(it.routed("S/M").autoHostRewrite()).isFalse();
    it.router.use(it.config(host, DecodeOptions.defaults().withTrustedServer(true)), () -> {});
    assertThat(it.routed("S/M").autoHostRewrite()).isTrue();
  }

  private static String route(String action) {
    return "{\"match\": {\"prefix\": \"\"}, \"route\": {\"cluster\": \"c\", " + action + "}}";
  }

  /** From attempts, first and longest backoff, codes. */
  private static Map<String, ?> retry(String terms) {
    String[] parts = terms.split(" ", -1);
    return Map.of(
        "methodConfig",
        List.of(
            Map.of(
                "name",
                List.of(Map.of()),
                "retryPolicy",
                Map.of(
                    "maxAttempts",
                    Double.parseDouble(parts[0]),
                    "initialBackoff",
                    parts[1] + "000000s",
                    "maxBackoff",
                    parts[2] + "000000s",
                    "backoffMultiplier",
                    2.0,
                    "retryableStatusCodes",
                    List.of(parts[3].split(",", -1))))));
  }
}
