// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever is written, reading it ends soon and says what is wrong. */
class HostileConfigTest {
  private static final Position HERE = new Position("f", 1, 1);
  private static final List<Object> LEAVES =
      List.of(
          "",
          "x",
          "-1s",
          "1e999999999",
          "\ud800",
          "type.googleapis.com/google.protobuf.Any",
          "type.googleapis.com/envoy.config.route.v3.Route",
          Long.MIN_VALUE,
          -1L,
          7L,
          true,
          new BigDecimal("1e2000000000"),
          new BigDecimal("0.1"));

  private static Scalar leaf(Object value) {
    return new Scalar(value, HERE);
  }

  private static Value typed(String type, String field, Value value) {
    return new Mapping(Map.of("@type", leaf("type.googleapis.com/" + type), field, value), HERE);
  }

  @Test
  void whatIsTooDeepIsRefused() {
    Value struct = leaf("end");
    Value any = leaf("end");
    for (int i = 0; i < 20_000; i++) {
      struct = new Mapping(Map.of("a", struct), HERE);
      any = typed("google.protobuf.Any", "value", any);
    }

    assertThat(TypedConfig.read(typed("google.protobuf.Struct", "value", struct)).problems())
        .singleElement()
        .asString()
        .contains("more than 100 messages inside one another");
    assertThat(TypedConfig.read(any).problems())
        .singleElement()
        .asString()
        .contains("more than 100 messages inside one another");
  }

  @Test
  void whatIsTooManyIsRefused() {
    Value value = leaf("x");
    for (int i = 0; i < 20; i++) {
      value = new Sequence(List.of(value, value, value, value), HERE);
    }

    assertThat(TypedConfig.read(typed("google.protobuf.ListValue", "value", value)).problems())
        .singleElement()
        .asString()
        .contains("too large (expected: at most 200000 values");
  }

  @Test
  void whatIsTooLongIsRefused() {
    Value text = leaf("x".repeat(1_000_000));
    List<Value> many = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      many.add(text);
    }

    assertThat(
            TypedConfig.read(typed("google.protobuf.ListValue", "value", new Sequence(many, HERE)))
                .problems())
        .singleElement()
        .asString()
        .contains("too large");
  }

  @Test
  void problemsHaveAnEnd() {
    Map<String, Value> fields = new LinkedHashMap<>();
    fields.put("@type", leaf("type.googleapis.com/envoy.config.route.v3.Route"));
    for (int i = 0; i < 5_000; i++) {
      fields.put("unknown" + i + "y".repeat(10_000), leaf("x"));
    }

    assertThat(TypedConfig.read(new Mapping(fields, HERE)).problems())
        .hasSize(1_000)
        .allMatch(problem -> problem.toString().length() < 5_000);
  }

  @Test
  void violationsHaveAnEndToo() {
    List<Value> names = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      names.add(leaf(""));
    }

    assertThat(
            TypedConfig.read(
                    typed(
                        "envoy.config.route.v3.VirtualHost",
                        "request_headers_to_remove",
                        new Sequence(names, HERE)))
                .problems())
        .hasSizeBetween(1_000, 1_100);
  }

  @Test
  void aMutatedConfigurationIsReadOrRefusedButNeverThrows() {
    Random random = new Random(7);
    List<Value> seeds =
        StockConfigsTest.good()
            .map(config -> (String) config.get()[0] + "\n" + config.get()[1])
            .map(text -> text.split("\n", 2))
            .map(parts -> ConfigFixture.yaml(ConfigFixture.typed(parts[0], parts[1])))
            .toList();
    int good = 0;
    for (int i = 0; i < 20_000; i++) {
      TypedConfig config = TypedConfig.read(mutate(seeds.get(i % seeds.size()), random));
      Any any = config.any();
      assertThat(any == null).isEqualTo(!config.problems().isEmpty());
      if (any != null) {
        assertThat(Rules.check(ConfigFixture.message(any))).isEmpty();
        good++;
      }
    }
    assertThat(good).isBetween(1_000, 19_000);
  }

  private static Value mutate(Value value, Random random) {
    if (random.nextInt(12) == 0) {
      return leaf(LEAVES.get(random.nextInt(LEAVES.size())));
    }
    if (value instanceof Sequence sequence) {
      List<Value> elements = new ArrayList<>();
      for (Value element : sequence.elements()) {
        for (int copies = random.nextInt(8) == 0 ? random.nextInt(3) : 1; copies > 0; copies--) {
          elements.add(mutate(element, random));
        }
      }
      return new Sequence(elements, value.position());
    }
    if (value instanceof Mapping mapping) {
      Map<String, Value> fields = new LinkedHashMap<>();
      mapping
          .fields()
          .forEach(
              (name, field) -> {
                if (random.nextInt(15) > 0) {
                  String key = random.nextInt(20) == 0 ? name + "x" : name;
                  fields.put(key, name.equals("@type") ? field : mutate(field, random));
                }
              });
      return new Mapping(fields, value.position());
    }
    return value;
  }

  @Test
  void bytesThatAreNotTheirTypeAreAProblemAndDeepOnesEnd() {
    Any garbage =
        Any.newBuilder()
            .setTypeUrl(EnvoyTypes.url("envoy.config.route.v3.Route"))
            .setValue(ByteString.copyFromUtf8("\u0007garbage"))
            .build();
    Any deep = Any.getDefaultInstance();
    for (int i = 0; i < 1_000; i++) {
      deep =
          Any.newBuilder()
              .setTypeUrl(EnvoyTypes.url("google.protobuf.Any"))
              .setValue(deep.toByteString())
              .build();
    }

    assertThat(Rules.check(garbage))
        .singleElement()
        .asString()
        .contains("not the bytes of a envoy.config.route.v3.Route");
    assertThat(Rules.check(deep))
        .singleElement()
        .asString()
        .contains("more than 200 messages inside one another");
  }
}
