// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTextTest {
  private static final Position HERE = Position.of("here");
  private static final List<Object> PLAIN =
      List.of(
          "",
          "true",
          "1",
          "null",
          "quote \" backslash \\ slash / newline \n tab \t nul \0 bell \u0007 delete \u007f",
          "a\uD83D\uDE00b \uD800 half \uDFFF\uD800",
          "\u2028\uFEFF\uFFFF",
          true,
          false,
          0L,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          new BigDecimal("1"),
          new BigDecimal("1.0"),
          new BigDecimal("1.00"),
          new BigDecimal("-0.0"),
          new BigDecimal("1E+3"),
          new BigDecimal("15E-2147483647"),
          new BigDecimal("92233720368547758070"));

  @Test
  void theTextIsOneLineOfJson() {
    Map<String, Value> fields = new LinkedHashMap<>();
    fields.put("b", scalar("x\"\n\uD800"));
    fields.put("a", new Sequence(List.of(scalar(1L), scalar(new BigDecimal("1"))), HERE));
    fields.put("", new Mapping(Map.of(), HERE));
    fields.put("n", new Scalar(null, HERE));

    assertThat(ValueText.of(new Mapping(fields, HERE)))
        .isEqualTo("{\"b\":\"x\\\"\\u000a\\ud800\",\"a\":[1,1E0],\"\":{},\"n\":null}");
  }

  @Test
  void everyPlainValueComesBackAsItWas() {
    for (Object plain : PLAIN) {
      assertComesBack(scalar(plain));
    }
    assertComesBack(new Scalar(null, HERE));
  }

  @Test
  void anyTreeComesBackAsItWas() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      Value tree = tree(random, 4);
      assertThat(ValueText.parse(ValueText.of(tree), HERE)).as("seed %d", seed).isEqualTo(tree);
    }
  }

  @Test
  void theOrderOfFieldsStays() {
    Value read = ValueText.parse("{\"z\":1,\"a\":2,\"m\":3}", HERE);

    assertThat(read).isInstanceOf(Mapping.class);
    assertThat(((Mapping) read).fields().keySet()).containsExactly("z", "a", "m");
  }

  @Test
  void allOfItStandsAtTheGivenPlace() {
    Position place = Position.of("generation 3");

    assertThat(((Mapping) ValueText.parse("{\"a\":[1]}", place)).keyPosition("a")).isEqualTo(place);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " 1",
        "1 ",
        "{",
        "[1",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\":1,\"a\":2}",
        "{a:1}",
        "\"",
        "\"\\",
        "\"\\u00",
        "\"\\u00zz\"",
        "\"\\n\"",
        "tru",
        "nul",
        "NaN",
        "--1",
        "1.E",
        "9223372036854775808",
        "[1]]"
      })
  void whateverElseIsDamage(String text) {
    assertThatThrownBy(() -> ValueText.parse(text, HERE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("value: broken at ");
  }

  @Test
  void aTextThatNestsWithoutEndIsDamage() {
    assertThatThrownBy(() -> ValueText.parse("[".repeat(1_000_000), HERE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nested less deeply");
  }

  private static void assertComesBack(Value value) {
    String text = ValueText.of(value);
    Value read = ValueText.parse(text, HERE);

    assertThat(read).isEqualTo(value);
    assertThat(Digest.of(read)).isEqualTo(Digest.of(value));
    assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
        .isEqualTo(text);
  }

  private static Value tree(Random random, int depth) {
    int kind = random.nextInt(depth == 0 ? 1 : 3);
    if (kind == 0) {
      return scalar(PLAIN.get(random.nextInt(PLAIN.size())));
    }
    int size = random.nextInt(4);
    List<Value> elements = new ArrayList<>();
    Map<String, Value> fields = new LinkedHashMap<>();
    for (int i = 0; i < size; i++) {
      elements.add(tree(random, depth - 1));
      fields.put(PLAIN.get(random.nextInt(7)).toString(), tree(random, depth - 1));
    }
    return kind == 1 ? new Sequence(elements, HERE) : new Mapping(fields, HERE);
  }

  private static Scalar scalar(Object value) {
    return new Scalar(value, HERE);
  }
}
