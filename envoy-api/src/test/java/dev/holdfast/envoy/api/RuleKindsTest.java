// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every rule that stands anywhere in Envoy's API is checked. */
class RuleKindsTest {
  @Test
  void noRuleOfTheApiIsUnsupported() {
    SortedMap<String, Object> unsupported = new TreeMap<>();
    for (String name : EnvoyTypes.get().names()) {
      MessageRules rules = MessageRules.of(ConfigFixture.type(name));
      if (!rules.unsupported().isEmpty()) {
        unsupported.put(name, rules.unsupported());
      }
    }

    assertThat(unsupported).isEmpty();
  }

  @Test
  void theRulesAreReallyRead() {
    SortedMap<String, Integer> kinds = new TreeMap<>();
    for (String name : EnvoyTypes.get().names()) {
      Descriptor type = ConfigFixture.type(name);
      type.getFields().forEach(field -> count(ApiAnnotations.rules(field), kinds));
    }

    assertThat(kinds)
        .containsKeys(
            "FieldRules.any",
            "FieldRules.bool",
            "FieldRules.bytes",
            "FieldRules.double",
            "FieldRules.duration",
            "FieldRules.enum",
            "FieldRules.map",
            "FieldRules.message",
            "FieldRules.repeated",
            "FieldRules.string",
            "FieldRules.uint32",
            "FieldRules.uint64",
            "RepeatedRules.unique",
            "StringRules.well_known_regex");
    assertThat(kinds.get("StringRules.min_len")).isGreaterThan(200);
    assertThat(kinds.get("MessageRules.required")).isGreaterThan(100);
  }

  private static void count(@Nullable Message rules, SortedMap<String, Integer> kinds) {
    if (rules == null) {
      return;
    }
    String type = rules.getDescriptorForType().getName();
    for (FieldDescriptor rule : rules.getAllFields().keySet()) {
      kinds.merge(type + "." + rule.getName(), 1, Integer::sum);
      if (rule.getJavaType() == FieldDescriptor.JavaType.MESSAGE
          && !rule.isRepeated()
          && rule.getMessageType().getFullName().startsWith("validate.")) {
        count((Message) rules.getField(rule), kinds);
      }
    }
  }
}
