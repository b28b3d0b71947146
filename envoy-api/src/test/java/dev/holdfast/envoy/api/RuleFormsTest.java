// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each form of rule accepts and what not, also those that the API does not use today. */
class RuleFormsTest {
  private static final FieldDescriptor ENUM_FIELD =
      ConfigFixture.type("envoy.type.v3.FractionalPercent").findFieldByName("denominator");

  private static ValueRules rules(String text) throws TextFormat.ParseException {
    DynamicMessage.Builder rules =
        DynamicMessage.newBuilder(ConfigFixture.type("validate.FieldRules"));
    TextFormat.merge(text, rules);
    List<String> unsupported = new ArrayList<>();
    ValueRules read = ValueRules.of(rules.build(), ENUM_FIELD, unsupported::add);
    assertThat(unsupported).isEmpty();
    return read;
  }

  private static boolean passes(String rules, Object value) throws TextFormat.ParseException {
    ValueRules read = rules(rules);
    assertThat(read.checks()).isNotEmpty();
    return read.checks().stream().allMatch(check -> check.holds().test(value));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "const: \"a\"|a|b",
        "len: 2|äb|abc",
        "min_len: 2 max_len: 3|äöü|a",
        "len_bytes: 2|ä|a",
        "min_bytes: 2|ä|a",
        "max_bytes: 1|a|ä",
        "pattern: \"[ab]\"|a|ab",
        "prefix: \"x\"|xa|ax",
        "suffix: \"x\"|ax|xa",
        "contains: \"x\"|axa|aa",
        "not_contains: \"x\"|aa|axa",
        "in: \"a\" in: \"b\"|b|c",
        "not_in: \"a\"|b|a",
        "hostname: true|a-b.example.com.|a_b",
        "hostname: true|a|-a",
        "ip: true|10.0.0.1|10.0.0.256",
        "ip: true|::ffff:10.0.0.1|::1::",
        "ipv4: true|255.255.255.255|1.2.3",
        "ipv6: true|2001:db8::1|1:2:3:4:5:6:7:8:9",
        "ipv6: true|::|1:2:3:4:5:6:7",
        "ipv6: true|1:2:3:4:5:6:7:8|10.0.0.1",
        "address: true|example.com|a b",
        "uri: true|https://a/b|/b",
        "uri_ref: true|/b|a b",
        "uuid: true|123e4567-e89b-12d3-a456-426614174000|123e4567",
        "well_known_regex: HTTP_HEADER_NAME|:path|a b",
        "well_known_regex: HTTP_HEADER_NAME|X-a~|``",
        "well_known_regex: HTTP_HEADER_NAME strict: false|a b|a\u0000b",
        "well_known_regex: HTTP_HEADER_NAME strict: false|``|a\u0000b",
        "well_known_regex: HTTP_HEADER_VALUE|a\tb|a\u0001b",
        "well_known_regex: HTTP_HEADER_VALUE strict: false|a\u0001b|a\u0000b",
      })
  void strings(String rule, String good, String bad) throws Exception {
    assertThat(passes("string { " + rule + " }", good)).isTrue();
    assertThat(passes("string { " + rule + " }", bad)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gt: 1|2|1", "gte: 1|1|0", "lt: 1|0|1", "lte: 1|1|2", "gte: 1 lt: 3|2|3",
        "gt: 3 lt: 1|4|2", "gt: 3 lt: 1|0|3", "const: 5|5|6", "in: 1 in: 2|2|3", "not_in: 1|2|1",
      })
  void numbers(String rule, int good, int bad) throws Exception {
    for (String type : List.of("int32", "sint32", "sfixed32", "uint32", "fixed32")) {
      assertThat(passes(type + " { " + rule + " }", good)).isTrue();
      assertThat(passes(type + " { " + rule + " }", bad)).isFalse();
    }
    for (String type : List.of("int64", "sint64", "sfixed64", "uint64", "fixed64")) {
      assertThat(passes(type + " { " + rule + " }", (long) good)).isTrue();
      assertThat(passes(type + " { " + rule + " }", (long) bad)).isFalse();
    }
    assertThat(passes("double { " + rule + " }", (double) good)).isTrue();
    assertThat(passes("double { " + rule + " }", (double) bad)).isFalse();
    assertThat(passes("float { " + rule + " }", (float) good)).isTrue();
    assertThat(passes("float { " + rule + " }", (float) bad)).isFalse();
  }

  @Test
  void unsignedNumbersAreUnsigned() throws Exception {
    assertThat(passes("uint32 { gt: 5 }", -1)).isTrue();
    assertThat(passes("int32 { gt: 5 }", -1)).isFalse();
    assertThat(passes("uint64 { lt: 5 }", -1L)).isFalse();
    assertThat(passes("int64 { lt: 5 }", -1L)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "const: \"ab\"|ab|a",
        "len: 2|ab|a",
        "min_len: 1 max_len: 2|ab|abc",
        "prefix: \"a\"|ab|ba",
        "suffix: \"a\"|ba|ab",
        "contains: \"b\"|abc|ac",
        "pattern: \"a+\"|aa|ab",
        "in: \"a\"|a|b",
        "not_in: \"a\"|b|a",
        "ip: true|abcd|abc",
        "ipv4: true|abcd|abc",
        "ipv6: true|abcdefghijklmnop|abcd",
      })
  void bytes(String rule, String good, String bad) throws Exception {
    assertThat(passes("bytes { " + rule + " }", ByteString.copyFromUtf8(good))).isTrue();
    assertThat(passes("bytes { " + rule + " }", ByteString.copyFromUtf8(bad))).isFalse();
  }

  @Test
  void enums() throws Exception {
    Object hundred = ENUM_FIELD.getEnumType().findValueByNumber(0);
    Object unknown = ENUM_FIELD.getEnumType().findValueByNumberCreatingIfUnknown(99);

    assertThat(passes("enum { defined_only: true }", hundred)).isTrue();
    assertThat(passes("enum { defined_only: true }", unknown)).isFalse();
    assertThat(passes("enum { const: 0 }", hundred)).isTrue();
    assertThat(passes("enum { const: 1 }", hundred)).isFalse();
    assertThat(passes("enum { in: [0, 1] }", unknown)).isFalse();
    assertThat(passes("enum { not_in: 0 }", hundred)).isFalse();
  }

  @Test
  void times() throws Exception {
    Object second =
        DynamicMessage.parseFrom(ConfigFixture.type("google.protobuf.Duration"), new byte[] {8, 1});

    assertThat(passes("duration { gt { nanos: 999999999 } }", second)).isTrue();
    assertThat(passes("duration { lte { nanos: 999999999 } }", second)).isFalse();
    assertThat(passes("duration { in { seconds: 1 } }", second)).isTrue();
    assertThat(passes("timestamp { lt { seconds: 1 } }", second)).isFalse();
    assertThat(rules("timestamp { required: true }").required()).isTrue();
  }

  @Test
  void anys() throws Exception {
    Object any =
        DynamicMessage.newBuilder(ConfigFixture.type("google.protobuf.Any"))
            .setField(ConfigFixture.type("google.protobuf.Any").findFieldByName("type_url"), "a/b")
            .build();

    assertThat(passes("any { in: \"a/b\" }", any)).isTrue();
    assertThat(passes("any { not_in: \"a/b\" }", any)).isFalse();
    assertThat(rules("any { required: true }").required()).isTrue();
  }

  @Test
  void flags() throws Exception {
    assertThat(rules("message { skip: true }").skip()).isTrue();
    assertThat(rules("message { required: true } uint32 { gt: 0 }").required()).isTrue();
    assertThat(rules("string { min_len: 1 ignore_empty: true }").ignoreEmpty()).isTrue();
    assertThat(passes("bool { const: true }", false)).isFalse();
  }
}
