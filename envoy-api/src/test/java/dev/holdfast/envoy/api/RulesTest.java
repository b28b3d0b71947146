// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.holdfast.base.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of the API, each on a field that has it. */
class RulesTest {
  private static Message message(String type, String text) throws TextFormat.ParseException {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(ConfigFixture.type(type));
    TextFormat.merge(text, message);
    return message.build();
  }

  private static List<String> problems(Message message) {
    return Rules.check(message).stream().map(Problem::toString).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // message.required, repeated.min_items, string.min_len
        "config.route.v3.Route|route { cluster: \"c\" }|match: missing",
        "config.route.v3.VirtualHost|name: \"n\"|domains: 0 elements (expected: at least 1)",
        "config.route.v3.VirtualHost|domains: \"*\"|name: \"\" (expected: at least 1 character)",
        // a oneof that is required, and one whose member has a rule
        "config.route.v3.RouteMatch|``|missing: one of prefix, path, safe_regex, connect_matcher,"
            + " path_separated_prefix, path_match_policy",
        "config.route.v3.RouteMatch|path_separated_prefix: \"no/\"|path_separated_prefix: \"no/\""
            + " (expected: a text like ^[^?#]+[^?#/]$)",
        // numbers, wrapped and plain
        "config.core.v3.SocketAddress|address: \"a\" port_value: 65536|port_value: 65536 (expected:"
            + " at most 65535)",
        "config.core.v3.CidrRange|address_prefix: \"a\" prefix_len { value: 129 }|prefix_len: 129"
            + " (expected: at most 128)",
        "type.v3.Percent|value: 100.5|value: 100.5 (expected: at least 0.0 and at most 100.0)",
        // enums
        "type.v3.HttpStatus|code: Empty|code: Empty (expected: none of Empty)",
        "type.v3.FractionalPercent|denominator: 7|denominator: 7 (expected: one of HUNDRED,"
            + " TEN_THOUSAND, MILLION)",
        // durations
        "config.core.v3.BackoffStrategy|base_interval { }|base_interval: 0s (expected: at least"
            + " 0.001s)",
        "config.core.v3.BackoffStrategy|``|base_interval: missing",
        "config.route.v3.RouteAction|cluster: \"c\" timeout { seconds: -1 }|timeout: -1s (expected:"
            + " a duration that is not negative)",
        "config.route.v3.RouteAction|cluster: \"c\" timeout { nanos: 1000000000 }|timeout: 1s"
            + " (expected: at most 9223372035s)",
        // strings: in, header names and values, bytes
        "config.core.v3.SchemeHeaderTransformation|scheme_to_overwrite:"
            + " \"ftp\"|scheme_to_overwrite: \"ftp\" (expected: one of \"http\", \"https\")",
        "config.core.v3.HeaderValue|key: \"a\\n"
            + "b\"|key: \"a\\n"
            + "b\" (expected: a header name without line ends)",
        "config.core.v3.HeaderValue|key: \"a\" value: \"\\r"
            + "\"|value: \"\\u000d\" (expected: a header value without line ends)",
        // items of lists, uniqueness
        "config.route.v3.VirtualHost|name: \"n\" domains: \"*\" request_headers_to_remove: [\"a\","
            + " \"\"]|request_headers_to_remove[1]: \"\" (expected: at least 1 character)",
        "config.core.v3.DataSource|environment_variable: \"\"|environment_variable: \"\" (expected:"
            + " at least 1 character)",
        // maps
        "config.rbac.v3.RBAC|policies { key: \"p\" }|policies[\"p\"].permissions: 0 elements"
            + " (expected: at least 1);policies[\"p\"].principals: 0 elements (expected: at least"
            + " 1)",
        // bool.const
        "config.rbac.v3.Principal|any: false|any: false (expected: true)",
        // deprecated, and no longer allowed
        "config.core.v3.ApiConfigSource|transport_api_version: V3|api_type:"
            + " DEPRECATED_AND_UNAVAILABLE_DO_NOT_USE (expected: a value that Envoy still allows)",
      })
  void isBroken(String type, String text, String problems) throws Exception {
    assertThat(problems(message("envoy." + type, text))).containsExactly(problems.split(";"));
  }

  @Test
  void whatIsRightHasNoProblems() throws Exception {
    assertThat(
            problems(
                message(
                    "envoy.config.route.v3.RouteConfiguration",
                    """
                    name: "r"
                    virtual_hosts {
                      name: "v" domains: "*"
                      routes { match { prefix: "/" } route { cluster: "c" timeout { } } }
                    }
                    """)))
        .isEmpty();
  }

  @Test
  void theBytesOfAnAnyAreCheckedWhereTheyStand() throws Exception {
    Message lua =
        message(
            "envoy.extensions.filters.http.lua.v3.LuaPerRoute", "source_code { filename: \"\" }");
    Message route =
        message(
            "envoy.config.route.v3.Route",
            "match { prefix: \"/\" } route { cluster: \"c\" } typed_per_filter_config { key:"
                + " \"lua\" value { type_url:"
                + " \"type.googleapis.com/envoy.extensions.filters.http.lua.v3.LuaPerRoute\" value:"
                + " \""
                + TextFormat.escapeBytes(lua.toByteString())
                + "\" } }");

    assertThat(problems(route))
        .containsExactly(
            "typed_per_filter_config[\"lua\"].source_code.filename: \"\" (expected: at least 1"
                + " character)");
  }

  @Test
  void anAnyOfAnUnknownTypeIsNotJudged() {
    assertThat(problems(Any.newBuilder().setTypeUrl("type.googleapis.com/own.Thing").build()))
        .isEmpty();
  }

  @Test
  void aFieldThatEnvoyNoLongerAllowsIsRefused() throws Exception {
    String action = "{ descriptor_key: \"k\" metadata_key { key: \"k\" path { key: \"p\" } } }";

    assertThat(
            problems(
                message(
                    "envoy.config.route.v3.RateLimit",
                    "actions { dynamic_metadata " + action + "}")))
        .containsExactly(
            "actions[0].dynamic_metadata: Envoy no longer allows this field (expected: not set)");
    assertThat(
            problems(
                message("envoy.config.route.v3.RateLimit", "actions { metadata " + action + "}")))
        .isEmpty();
  }
}
