// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Configurations as they stand in Envoy's own files are read whole. */
class StockConfigsTest {
  private static final String HTTP = "envoy.extensions.filters.http.";

  static Stream<Arguments> good() {
    return Stream.of(
        config(
            HTTP + "lua.v3.LuaPerRoute",
            "source_code: {inline_string: 'function envoy_on_request(h) end'}",
            "source_code { inline_string: \"function envoy_on_request(h) end\" }"),
        config(
            HTTP + "lua.v3.Lua",
            """
            defaultSourceCode: {inlineString: x}
            sourceCodes: {b: {inlineString: two}, a: {inlineString: one}}
            """,
            "source_codes { key: \"a\" value { inline_string: \"one\" } } source_codes { key: \"b\""
                + " value { inline_string: \"two\" } } default_source_code { inline_string: \"x\""
                + " }"),
        config(
            HTTP + "buffer.v3.BufferPerRoute",
            "buffer: {max_request_bytes: 65536}",
            "buffer { max_request_bytes { value: 65536 } }"),
        config(
            HTTP + "fault.v3.HTTPFault",
            """
            delay: {fixed_delay: 1.5s, percentage: {numerator: 50, denominator: TEN_THOUSAND}}
            abort: {http_status: 503, percentage: {numerator: 1}}
            headers: [{name: x-fault, string_match: {exact: "on"}}]
            """,
            "delay { fixed_delay { seconds: 1 nanos: 500000000 } percentage { numerator: 50"
                + " denominator: TEN_THOUSAND } } abort { http_status: 503 percentage {"
                + " numerator: 1 } } headers { name: \"x-fault\" string_match { exact: \"on\" } }"),
        config(
            HTTP + "header_mutation.v3.HeaderMutationPerRoute",
            """
            mutations:
              request_mutations:
              - remove: x-secret
              - append: {header: {key: x-a, value: b}, append_action: OVERWRITE_IF_EXISTS_OR_ADD}
            """,
            "mutations { request_mutations { remove: \"x-secret\" } request_mutations { append {"
                + " header { key: \"x-a\" value: \"b\" } append_action:"
                + " OVERWRITE_IF_EXISTS_OR_ADD } } }"),
        config(
            HTTP + "ext_proc.v3.ExtProcPerRoute",
            """
            overrides:
              processing_mode: {request_header_mode: SKIP, response_body_mode: STREAMED}
              grpc_service: {envoy_grpc: {cluster_name: c}, timeout: 0.2s}
            """,
            "overrides { processing_mode { request_header_mode: SKIP response_body_mode: STREAMED"
                + " } grpc_service { envoy_grpc { cluster_name: \"c\" } timeout { nanos: 200000000"
                + " } } }"),
        config(
            HTTP + "rbac.v3.RBACPerRoute",
            """
            rbac:
              rules:
                action: DENY
                policies:
                  admins:
                    permissions: [{url_path: {path: {prefix: /admin}}}]
                    principals: [{direct_remote_ip: {address_prefix: 10.0.0.0, prefix_len: 8}}]
            """,
            "rbac { rules { action: DENY policies { key: \"admins\" value { permissions {"
                + " url_path { path { prefix: \"/admin\" } } } principals { direct_remote_ip {"
                + " address_prefix: \"10.0.0.0\" prefix_len { value: 8 } } } } } } }"),
        config(HTTP + "compressor.v3.CompressorPerRoute", "disabled: true", "disabled: true"),
        config(
            HTTP + "cors.v3.CorsPolicy",
            "allow_origin_string_match: [{safe_regex: {regex: '.*'}}]\nmax_age: '60'",
            "allow_origin_string_match { safe_regex { regex: \".*\" } } max_age: \"60\""),
        config(
            HTTP + "local_ratelimit.v3.LocalRateLimit",
            """
            stat_prefix: s
            token_bucket: {max_tokens: 10, tokens_per_fill: 5, fill_interval: 1s}
            """,
            "stat_prefix: \"s\" token_bucket { max_tokens: 10 tokens_per_fill { value: 5 }"
                + " fill_interval { seconds: 1 } }"),
        config(
            HTTP + "set_metadata.v3.Config",
            "metadata: [{metadata_namespace: n, value: {a: [1, true, null, {b: c}]}}]",
            "metadata { metadata_namespace: \"n\" value { fields { key: \"a\" value { list_value {"
                + " values { number_value: 1.0 } values { bool_value: true } values { null_value:"
                + " NULL_VALUE } values { struct_value { fields { key: \"b\" value { string_value:"
                + " \"c\" } } } } } } } } }"),
        config(
            "udpa.type.v1.TypedStruct",
            "type_url: type.googleapis.com/own.Filter\nvalue: {limit: 5}",
            "type_url: \"type.googleapis.com/own.Filter\" value { fields { key: \"limit\" value {"
                + " number_value: 5.0 } } }"));
  }

  private static Arguments config(String type, String fields, String text) {
    return Arguments.of(type, fields, text);
  }

  @ParameterizedTest
  @MethodSource("good")
  void isReadAsItIsWritten(String type, String fields, String text) {
    assertThat(ConfigFixture.text(ConfigFixture.any(ConfigFixture.typed(type, fields))))
        .isEqualTo(text);
  }

  @ParameterizedTest
  @MethodSource("good")
  void refusesAFieldThatTheTypeDoesNotHave(String type, String fields, String unused) {
    assertThat(ConfigFixture.problems(ConfigFixture.typed(type, fields) + "\nzzz_not_there: 1"))
        .hasSize(1)
        .first()
        .asString()
        .contains("zzz_not_there: unknown field (expected: ");
  }

  @ParameterizedTest
  @MethodSource("good")
  void givesEqualBytesForEqualConfigurations(String type, String fields, String unused) {
    assertThat(ConfigFixture.any(ConfigFixture.typed(type, fields)))
        .isEqualTo(ConfigFixture.any(fields + "\n\"@type\": type.googleapis.com/" + type));
  }
}
