// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What is wrong with a configuration is said at its place, all of it at once. */
class TypedConfigProblemsTest {
  private static final String HTTP = "envoy.extensions.filters.http.";

  @Test
  void theTypeMustBeThere() {
    assertThat(ConfigFixture.problems("{a: 1}"))
        .containsExactly(
            "1:1: @type: missing (expected: a type URL such as type.googleapis.com/NAME)");
    assertThat(ConfigFixture.problems("[]"))
        .containsExactly("1:1: a sequence (expected: a mapping with @type)");
    assertThat(ConfigFixture.problems("'@type': 5"))
        .containsExactly("1:10: @type: a number (expected: a string; put it in quotes)");
  }

  @Test
  void anUnknownTypeIsRefusedWithAGuess() {
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed("envoy.extensions.filters.http.lua.v3.LuaPerRoot", "")))
        .containsExactly(
            "1:10: @type: \"type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoot\""
                + " is not a type of Envoy's API (did you mean"
                + " type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute?)");
    assertThat(ConfigFixture.problems("'@type': envoy.extensions.filters.http.lua.v3.Lua"))
        .containsExactly(
            "1:10: @type: \"envoy.extensions.filters.http.lua.v3.Lua\" (expected:"
                + " type.googleapis.com/envoy.extensions.filters.http.lua.v3.Lua)");
    assertThat(ConfigFixture.problems("'@type': type.googleapis.com/com.example.X"))
        .containsExactly(
            "1:10: @type: \"type.googleapis.com/com.example.X\" is not a type of Envoy's API"
                + " (expected: a type of API version 3)");
  }

  @Test
  void allProblemsAreFoundAtOnce() {
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    HTTP + "fault.v3.HTTPFault",
                    """
                    delay: {fixedDelay: soon, percentage: {numerator: -1, denominator: DOZEN}}
                    abort: {http_status: 1000}
                    maxActiveFault: 5
                    headers: [{name: ""}, 7]
                    upstream_cluster: 12
                    """)))
        .containsExactly(
            "2:21: delay.fixedDelay: \"soon\" (expected: seconds followed by s, such as \"1.5s\")",
            "2:51: delay.percentage.numerator: -1 (expected: a whole number from 0 to"
                + " 4294967295)",
            "2:68: delay.percentage.denominator: \"DOZEN\" (expected: one of HUNDRED,"
                + " TEN_THOUSAND, MILLION)",
            "3:22: abort.http_status: 1000 (expected: at least 200 and less than 600)",
            "4:1: maxActiveFault: unknown field (did you mean maxActiveFaults?)",
            "5:18: headers[0].name: \"\" (expected: at least 1 character)",
            "5:23: headers[1]: a number (expected: a mapping: envoy.config.route.v3.HeaderMatcher)",
            "6:19: upstream_cluster: a number (expected: a string; put it in quotes)");
  }

  @Test
  void aFieldHasOneSpellingAtATime() {
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    HTTP + "lua.v3.LuaPerRoute",
                    "source_code: {inline_string: x}\nsourceCode: {}")))
        .containsExactly("3:1: sourceCode: the same field as source_code (expected: once)");
  }

  @Test
  void ofAOneofOnlyOneIsSet() {
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    HTTP + "lua.v3.LuaPerRoute", "name: n\nsource_code: {inline_string: x}")))
        .containsExactly("3:1: source_code: set together with name (expected: one of the two)");
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    HTTP + "lua.v3.LuaPerRoute", "name: null\nsource_code: {inline_string: x}")))
        .isEmpty();
  }

  @Test
  void aNestedAnyIsCheckedToo() {
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    HTTP + "compressor.v3.Compressor",
                    """
                    compressorLibrary:
                      name: gzip
                      typed_config:
                        "@type": type.googleapis.com/envoy.extensions.compression.gzip.compressor.v3.Gzip
                        memoryLevel: 10
                        windowBits: many
                        nope: 1
                    """)))
        .containsExactly(
            "6:18: compressorLibrary.typed_config.memoryLevel: 10 (expected: at least 1 and at"
                + " most 9)",
            "7:17: compressorLibrary.typed_config.windowBits: a string (expected: a whole number"
                + " from 0 to 4294967295)",
            "8:5: compressorLibrary.typed_config.nope: unknown field (expected: one of"
                + " memory_level, compression_level, compression_strategy, window_bits,"
                + " chunk_size)");
  }

  @Test
  void whatEnvoyRefusesWhileDecodingIsRefusedHere() {
    assertThat(ConfigFixture.problems(ConfigFixture.typed(HTTP + "buffer.v3.BufferPerRoute", "")))
        .containsExactly("1:1: missing: one of disabled, buffer");
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(HTTP + "buffer.v3.Buffer", "max_request_bytes: 0")))
        .containsExactly("2:20: max_request_bytes: 0 (expected: more than 0)");
    assertThat(ConfigFixture.problems(ConfigFixture.typed(HTTP + "buffer.v3.Buffer", "")))
        .containsExactly("1:1: max_request_bytes: missing");
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    "envoy.config.route.v3.RouteAction", "cluster: c\ntimeout: -1s")))
        .containsExactly("3:10: timeout: -1s (expected: a non-negative duration)");
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    "envoy.config.core.v3.ApiConfigSource", "transport_api_version: V3")))
        .containsExactly(
            "1:1: api_type: DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE (expected: a value that Envoy"
                + " still allows)");
  }

  @Test
  void aSecretIsNotShown() {
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    "envoy.extensions.transport_sockets.tls.v3.PrivateKeyProvider",
                    """
                    provider_name: p
                    typed_config:
                      "@type": type.googleapis.com/envoy.config.core.v3.HeaderValue
                      key: "very-secret\\n"
                    """)))
        .containsExactly(
            "5:8: typed_config.key: a secret (expected: a header name without line breaks)");
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    "envoy.config.core.v3.DataSource", "inline_string: {a: very-secret}")))
        .containsExactly("2:16: inline_string: a mapping (expected: a string)");
  }
}
