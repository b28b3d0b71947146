// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.routing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What routing sees of headers (gRFC A28). */
class HeaderRulesTest {
  @Test
  void valuesAreJoinedByCommas() {
    Routing it = when("{\"name\": \"x-user\", \"string_match\": {\"exact\": \"a,b\"}}");
    assertThat(it.route("S/M", "x-user", "a", "x-user", "b")).isEqualTo("yes");
    assertThat(it.route("S/M", "x-user", "a")).isEqualTo("no");
    assertThat(it.route("S/M")).isEqualTo("no");
  }

  @Test
  void namesAreWithoutCase() {
    Routing it = when("{\"name\": \"X-User\", \"present_match\": true}");
    assertThat(it.route("S/M", "x-user", "a")).isEqualTo("yes");
  }

  @Test
  void contentTypeIsWhatItAlwaysIs() {
    Routing it =
        when("{\"name\": \"content-type\", \"string_match\": {\"exact\": \"application/grpc\"}}");
    assertThat(it.route("S/M")).isEqualTo("yes");
  }

  @Test
  void binaryHeadersAreNeverThere() {
    assertThat(when("{\"name\": \"trace-bin\", \"present_match\": true}").route("S/M"))
        .isEqualTo("no");
    assertThat(
            when("{\"name\": \"trace-bin\", \"present_match\": true, \"invert_match\": true}")
                .route("S/M"))
        .isEqualTo("yes");
  }

  @Test
  void pseudoHeadersAreNeverThere() {
    assertThat(when("{\"name\": \":path\", \"present_match\": true}").route("S/M")).isEqualTo("no");
  }

  @Test
  void allMustFit() {
    Routing it =
        when(
            "{\"name\": \"a\", \"string_match\": {\"prefix\": \"1\"}},"
                + "{\"name\": \"b\", \"range_match\": {\"start\": 5, \"end\": 7}}");
    assertThat(it.route("S/M", "a", "12", "b", "6")).isEqualTo("yes");
    assertThat(it.route("S/M", "a", "12", "b", "7")).isEqualTo("no");
    assertThat(it.route("S/M", "a", "21", "b", "6")).isEqualTo("no");
  }

  private static Routing when(String headers) {
    return new Routing()
        .routes(
            """
            {"match": {"prefix": "", "headers": [%s]}, "route": {"cluster": "yes"}},
            {"match": {"prefix": ""}, "route": {"cluster": "no"}}
            """
                .formatted(headers));
  }
}
