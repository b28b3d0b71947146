// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.envoy.api;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.holdfast.base.Problems;
import java.util.List;

/** Goes through a message and all that is in it. Lives for one check. */
final class RuleChecker {
  /** More than fits into a message that Envoy can parse, even with several Anys in one another. */
  private static final int DEEPEST = 200;

  private static final int MOST_PROBLEMS = 1_000;

  /** Envoy counts nanoseconds in 64 bits. */
  private static final long LONGEST_SECONDS = (Long.MAX_VALUE - 999_999_999) / 1_000_000_000;

  private final EnvoyTypes types;

  RuleChecker(EnvoyTypes types) {
    this.types = types;
  }

  /**
   * How one looks at a message.
   *
   * @param checked whether the rules count; durations and disallowed fields always do
   * @param secret whether values may not be shown
   * @param depth how many messages are around it
   */
  private record Mode(boolean checked, boolean secret, int depth) {
    Mode inside(boolean unchecked, boolean secretToo) {
      return new Mode(checked && !unchecked, secret || secretToo, depth + 1);
    }
  }

  /** Looks at a message that is in no other one. */
  void start(Message message, Problems at) {
    message(message, at, new Mode(/* checked= */ true, /* secret= */ false, 0));
  }

  private void message(Message message, Problems at, Mode mode) {
    if (mode.depth() > DEEPEST) {
      at.invalid("more than " + DEEPEST + " messages inside one another (expected: fewer)");
      return;
    }
    Descriptor type = message.getDescriptorForType();
    switch (WellKnownType.of(type)) {
      case DURATION -> duration(SecondsAndNanos.of(message), at);
      case ANY -> any(message, at, mode);
      case NONE -> plain(message, at, mode);
      default -> {} // nothing in it that could have rules
    }
  }

  private void plain(Message message, Problems at, Mode mode) {
    MessageRules rules = MessageRules.of(message.getDescriptorForType());
    Mode here = rules.unchecked() ? new Mode(false, mode.secret(), mode.depth()) : mode;
    for (FieldRules field : rules.fields()) {
      field(message, field, at, here);
    }
    for (OneofDescriptor oneof : rules.required()) {
      if (here.checked() && !message.hasOneof(oneof)) {
        at.required(
            "missing: one of " + ErrorText.list(oneof.getFields(), FieldDescriptor::getName));
      }
    }
  }

  private static void duration(SecondsAndNanos duration, Problems at) {
    if (duration.seconds() < 0 || duration.nanos() < 0) {
      at.invalid(duration + " (expected: a duration that is not negative)");
    } else if (duration.nanos() > 999_999_999 || duration.seconds() > LONGEST_SECONDS) {
      at.invalid(duration + " (expected: at most " + LONGEST_SECONDS + "s)");
    }
  }

  private void any(Message any, Problems at, Mode mode) {
    Descriptor anyType = any.getDescriptorForType();
    String url = (String) any.getField(anyType.findFieldByName("type_url"));
    Descriptor type = types.find(url.substring(url.lastIndexOf('/') + 1));
    if (type == null) {
      return;
    }
    try {
      ByteString value = (ByteString) any.getField(anyType.findFieldByName("value"));
      // Where JSON has it: next to the type, or in "value" if it is not a mapping there.
      Problems inside = WellKnownType.of(type) == WellKnownType.NONE ? at : at.at("value");
      message(DynamicMessage.parseFrom(type, value), inside, mode.inside(false, false));
    } catch (InvalidProtocolBufferException e) {
      at.undecodable("not the bytes of a " + type.getFullName() + ": " + e.getMessage());
    }
  }

  private void field(Message message, FieldRules rules, Problems at, Mode mode) {
    FieldDescriptor field = rules.field();
    boolean used =
        field.isRepeated() ? message.getRepeatedFieldCount(field) > 0 : message.hasField(field);
    if (used && rules.disallowed()) {
      at.at(field.getName()).invalid("Envoy no longer allows this field (expected: not set)");
    }
    if (field.isMapField()) {
      map(message, rules, at, mode);
    } else if (field.isRepeated()) {
      list(message, rules, at, mode);
    } else {
      deprecatedEnum(message, field, at);
      if (rules.hasChecks()) {
        single(message, rules, used, at.at(field.getName()), mode);
      }
    }
  }

  private void single(Message message, FieldRules rules, boolean used, Problems at, Mode mode) {
    FieldDescriptor field = rules.field();
    if (used || !field.hasPresence()) {
      value(rules, rules.own(), message.getField(field), at, mode);
    } else if (mode.checked() && rules.own().required() && field.getRealContainingOneof() == null) {
      // What is required of a member of a oneof is so only if it is the chosen one.
      at.required("missing");
    }
  }

  /** Counts also for a field that is not set: its default may be the disallowed value. */
  private static void deprecatedEnum(Message message, FieldDescriptor field, Problems at) {
    if (field.getJavaType() == FieldDescriptor.JavaType.ENUM
        && message.getField(field) instanceof EnumValueDescriptor value
        && ApiAnnotations.isDisallowed(value)) {
      at.at(field.getName())
          .invalid(value.getName() + " (expected: a value that Envoy still allows)");
    }
  }

  private void list(Message message, FieldRules rules, Problems at, Mode mode) {
    FieldDescriptor field = rules.field();
    List<?> elements = (List<?>) message.getField(field);
    whole(rules, elements, at, mode);
    for (int i = 0; i < elements.size() && rules.hasChecks(); i++) {
      value(rules, rules.elements(), elements.get(i), at.at(field.getName(), i), mode);
    }
  }

  private void map(Message message, FieldRules rules, Problems at, Mode mode) {
    FieldDescriptor field = rules.field();
    FieldDescriptor key = FieldRules.entry(field, "key");
    FieldDescriptor value = FieldRules.entry(field, "value");
    List<?> entries = (List<?>) message.getField(field);
    whole(rules, entries, at, mode);
    for (Object element : entries) {
      Message entry = (Message) element;
      Problems here = at.at(field.getName(), entry.getField(key).toString());
      value(rules, rules.keys(), entry.getField(key), here, mode);
      value(rules, rules.elements(), entry.getField(value), here, mode);
    }
  }

  private static void whole(FieldRules rules, List<?> all, Problems at, Mode mode) {
    if (!mode.checked() || (rules.own().ignoreEmpty() && all.isEmpty())) {
      return;
    }
    for (Check check : rules.whole()) {
      if (!check.holds().test(all)) {
        String count = all.size() == 1 ? "1 element" : all.size() + " elements";
        at.at(rules.field().getName()).invalid(count + " (expected: " + check.expected() + ")");
      }
    }
  }

  private void value(FieldRules field, ValueRules rules, Object value, Problems at, Mode outside) {
    if (at.count() >= MOST_PROBLEMS) {
      return;
    }
    Mode mode = outside.inside(rules.skip(), field.sensitive());
    if (outside.checked() && !passes(field, rules, WellKnownType.unwrap(value), at, mode)) {
      return;
    }
    if (value instanceof Message message) {
      message(message, at, mode);
    }
  }

  /** Reports the first check that fails: the others often say the same in other words. */
  private static boolean passes(
      FieldRules field, ValueRules rules, Object value, Problems at, Mode mode) {
    if (rules.ignoreEmpty() && FieldValueText.isEmpty(value)) {
      return true;
    }
    for (Check check : rules.checks()) {
      if (!check.holds().test(value)) {
        String shown = mode.secret() ? "a secret" : FieldValueText.of(value, field.field());
        at.invalid(shown + " (expected: " + check.expected() + ")");
        return false;
      }
    }
    return true;
  }
}
