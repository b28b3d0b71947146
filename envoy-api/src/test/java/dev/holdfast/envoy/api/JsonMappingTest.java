// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.holdfast.config.LocatedProblem;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The forms that values may have, and those they may not. */
class JsonMappingTest {
  /** A message as an Any of it is written; the text of what came of it. */
  private static String value(String type, String yaml) {
    return ConfigFixture.text(
        ConfigFixture.any("\"@type\": type.googleapis.com/" + type + "\nvalue: " + yaml));
  }

  private static List<String> problems(String type, String yaml) {
    return ConfigFixture.problems("\"@type\": type.googleapis.com/" + type + "\nvalue: " + yaml);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Int32Value|-2147483648|value: -2147483648",
        "Int32Value|1e3|value: 1000",
        "Int32Value|1.0|value: 1",
        "Int64Value|\"9223372036854775807\"|value: 9223372036854775807",
        "Int64Value|9223372036854775807|value: 9223372036854775807",
        "UInt32Value|4294967295|value: 4294967295",
        "UInt64Value|\"18446744073709551615\"|value: 18446744073709551615",
        "UInt64Value|18446744073709551615|value: 18446744073709551615",
        "DoubleValue|1.5|value: 1.5",
        "DoubleValue|\"-Infinity\"|value: -Infinity",
        "DoubleValue|\"NaN\"|value: NaN",
        "FloatValue|\"0.25\"|value: 0.25",
        "BoolValue|true|value: true",
        "StringValue|\"x\"|value: \"x\"",
        "BytesValue|AQI=|value: \"\\001\\002\"",
        "BytesValue|AQI|value: \"\\001\\002\"",
        "BytesValue|\"-_8\"|value: \"\\373\\377\"",
        "Duration|\"1.000000001s\"|seconds: 1 nanos: 1",
        "Duration|0s|``",
        "Timestamp|\"1970-01-02T00:00:00.5Z\"|seconds: 86400 nanos: 500000000",
        "Timestamp|\"1970-01-01T01:00:00+01:00\"|``",
        "FieldMask|user.displayName,photo|paths: \"user.display_name\" paths: \"photo\"",
        "FieldMask|\"\"|``",
        "ListValue|[a]|values { string_value: \"a\" }",
        "Value|null|null_value: NULL_VALUE",
        "Value|{}|struct_value { }",
        "Struct|{b: 1, a: 2}|fields { key: \"a\" value { number_value: 2.0 } } fields { key: \"b\""
            + " value { number_value: 1.0 } }",
      })
  void isRead(String type, String yaml, String text) {
    assertThat(value("google.protobuf." + type, yaml)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Int32Value|2147483648|2147483648 (expected: a whole number from -2147483648 to"
            + " 2147483647)",
        "Int32Value|1.5|1.5 (expected: a whole number from -2147483648 to 2147483647)",
        "Int32Value|\"\"|a string (expected: a whole number from -2147483648 to 2147483647)",
        "UInt64Value|-1|-1 (expected: a whole number from 0 to 18446744073709551615)",
        "UInt64Value|\"1e999999999\"|1E+999999999 (expected: a whole number from 0 to"
            + " 18446744073709551615)",
        "DoubleValue|\"1e999\"|1E+999 (expected: a number of 64 bits)",
        "FloatValue|\"1e300\"|1.0E300 (expected: a number of 32 bits)",
        "BoolValue|\"true\"|a string (expected: true or false)",
        "StringValue|{}|a mapping (expected: a string)",
        "BytesValue|\"***\"|not base64 (expected: bytes in base64)",
        "Duration|\"1\"|\"1\" (expected: seconds with an s, such as \"1.5s\")",
        "Duration|\"1m\"|\"1m\" (expected: seconds with an s, such as \"1.5s\")",
        "Duration|\"999999999999s\"|\"999999999999s\" (expected: seconds with an s, such as"
            + " \"1.5s\")",
        "Duration|5|a number (expected: seconds with an s, such as \"1.5s\")",
        "Duration|\"9300000000s\"|9300000000s (expected: at most 9223372035s)",
        "Timestamp|\"1970-13-01T00:00:00Z\"|\"1970-13-01T00:00:00Z\" (expected: a time such as"
            + " \"2026-01-31T12:00:00Z\")",
        "Timestamp|\"1970-01-01\"|\"1970-01-01\" (expected: a time such as"
            + " \"2026-01-31T12:00:00Z\")",
        "FieldMask|\"a_b\"|\"a_b\" (expected: paths such as user.displayName)",
        "ListValue|{}|a mapping (expected: a sequence)",
        "Struct|[]|a sequence (expected: a mapping)",
      })
  void isRefused(String type, String yaml, String problem) {
    assertThat(problems("google.protobuf." + type, yaml))
        .singleElement()
        .asString()
        .endsWith(": value: " + problem);
  }

  @Test
  void everyTypeOfFieldAndKeyIsRead() {
    Message message =
        read(
            "google.protobuf.FieldOptions",
            "{ctype: CORD, jstype: 2, deprecated: true, targets: [TARGET_TYPE_FILE, 3]}");

    assertThat(message.toString())
        .isEqualTo(
            """
            ctype: CORD
            deprecated: true
            jstype: JS_NUMBER
            targets: TARGET_TYPE_FILE
            targets: TARGET_TYPE_MESSAGE
            """);
  }

  @Test
  void mapsAreInTheOrderOfTheirKeys() {
    String one = "filter_metadata: {b: {}, a: {}, c: {}}";
    String other = "filterMetadata: {c: {}, b: {}, a: {}}";

    assertThat(ConfigFixture.any(ConfigFixture.typed("envoy.config.core.v3.Metadata", one)))
        .isEqualTo(ConfigFixture.any(ConfigFixture.typed("envoy.config.core.v3.Metadata", other)));
  }

  @Test
  void aMessageWithoutItsRequiredFieldsIsRefused() {
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    "google.protobuf.UninterpretedOption", "name: [{is_extension: true}]")))
        .containsExactly("2:8: name[0].name_part: missing");
  }

  @Test
  void anElementThatIsNullIsRefused() {
    assertThat(
            ConfigFixture.problems(
                ConfigFixture.typed(
                    "envoy.config.route.v3.VirtualHost", "name: n\ndomains: [a, null]")))
        .containsExactly("3:14: domains[1]: null (expected: a string)");
  }

  private static Message read(String type, String yaml) {
    ProblemCollector findings = new ProblemCollector();
    Message message =
        new MessageReader(EnvoyTypes.get())
            .message(ConfigFixture.type(type), ConfigFixture.yaml(yaml), FieldPath.root(findings));
    assertThat(findings.problems()).isEqualTo(List.<LocatedProblem>of());
    return Objects.requireNonNull(message);
  }

  @Test
  void whatIsReadIsWhatOthersRead() throws Exception {
    Message message = read("envoy.config.route.v3.HeaderMatcher", "{name: a, present_match: true}");

    assertThat(DynamicMessage.parseFrom(message.getDescriptorForType(), message.toByteString()))
        .isEqualTo(message);
  }
}
