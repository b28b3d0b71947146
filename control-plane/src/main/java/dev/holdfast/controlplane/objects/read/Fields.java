// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.read;

import com.google.protobuf.Any;
import dev.holdfast.base.Problem;
import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import dev.holdfast.controlplane.objects.read.ValueSchema.Presence;
import dev.holdfast.envoy.api.TypedConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one mapping. Every method returns a usable value even after it has reported a
 * problem, so that the decoder continues and finds the other problems; its result is discarded
 * then. A field that the decoder never reads is unknown, which is a problem. A null value counts as
 * absent.
 */
public final class Fields {
  private final DecodingContext context;
  private final Mapping mapping;
  private final Path path;
  private final FieldProblems problems;
  private final @Nullable Map<String, ValueSchema.Property> trace;
  private final Set<String> known = new LinkedHashSet<>();

  Fields(
      DecodingContext context,
      Mapping mapping,
      Position position,
      Path path,
      @Nullable Map<String, ValueSchema.Property> trace) {
    this.context = context;
    this.mapping = mapping;
    this.path = path;
    this.problems = new FieldProblems(context, mapping, position, path);
    this.trace = trace;
  }

  /** Fields without values, which record what the decoder reads. */
  static Fields tracing(Map<String, ValueSchema.Property> trace) {
    Position nowhere = new Position("", 1, 1);
    return new Fields(
        new DecodingContext(), new Mapping(Map.of(), nowhere), nowhere, Path.ROOT, trace);
  }

  // Strings

  /** A string; null if absent. */
  public @Nullable String text(String name, TextRule rule) {
    return scalar(name, Presence.OPTIONAL, ValueTypes.text(rule));
  }

  /** A string; empty if absent. */
  public String textOrEmpty(String name, TextRule rule) {
    String text = text(name, rule);
    return text == null ? "" : text;
  }

  /** A required string. */
  public String requiredText(String name, TextRule rule) {
    String text = scalar(name, Presence.REQUIRED, ValueTypes.text(rule));
    return text == null ? "" : text;
  }

  /** Strings; empty if absent. */
  public List<String> texts(String name, TextRule rule) {
    return elements(name, Presence.OPTIONAL, ValueTypes.text(rule));
  }

  /** A required list with at least one string. */
  public List<String> requiredTexts(String name, TextRule rule) {
    List<String> texts = elements(name, Presence.REQUIRED, ValueTypes.text(rule));
    if (isEmptySequence(name)) {
      invalid(name, "[] (expected: at least one)");
    }
    return texts;
  }

  /** One of the names of an enum; null if absent. */
  public <E extends Enum<E> & EnumWord> @Nullable E enumValue(String name, Class<E> words) {
    return scalar(name, Presence.OPTIONAL, ValueTypes.word(words));
  }

  /** One of the names of an enum; the fallback if absent. */
  public <E extends Enum<E> & EnumWord> E enumValue(String name, E fallback) {
    E value = enumValue(name, fallback.getDeclaringClass());
    return value == null ? fallback : value;
  }

  /** Names of an enum; empty if absent. */
  public <E extends Enum<E> & EnumWord> List<E> enumValues(String name, Class<E> words) {
    return elements(name, Presence.OPTIONAL, ValueTypes.word(words));
  }

  /** A required name of an enum; the fallback if it is absent. */
  public <E extends Enum<E> & EnumWord> E requiredEnumValue(String name, E fallback) {
    E value = scalar(name, Presence.REQUIRED, ValueTypes.word(fallback.getDeclaringClass()));
    return value == null ? fallback : value;
  }

  // Numbers, flags, time

  /** A whole number; null if absent. */
  public @Nullable Long integer(String name, long min, long max) {
    return scalar(name, Presence.OPTIONAL, ValueTypes.whole(min, max));
  }

  /** A whole number; the fallback if absent. */
  public long integer(String name, long min, long max, long fallback) {
    Long number = integer(name, min, max);
    return number == null ? fallback : number;
  }

  /** A required whole number. */
  public long requiredInteger(String name, long min, long max) {
    Long number = scalar(name, Presence.REQUIRED, ValueTypes.whole(min, max));
    return number == null ? min : number;
  }

  /** Whole numbers; empty if absent. */
  public List<Long> integers(String name, long min, long max) {
    return elements(name, Presence.OPTIONAL, ValueTypes.whole(min, max));
  }

  /** True or false; false if absent. */
  public boolean flag(String name) {
    return flag(name, /* fallback= */ false);
  }

  /** True or false. */
  public boolean flag(String name, boolean fallback) {
    Boolean flag = scalar(name, Presence.OPTIONAL, ValueTypes.FLAG);
    return flag == null ? fallback : flag;
  }

  /** A duration; null if absent. */
  public @Nullable Duration duration(String name) {
    return scalar(
        name,
        Presence.OPTIONAL,
        ValueTypes.parsed(GoDuration.PATTERN, "a duration such as \"1h30m\"", GoDuration::parse));
  }

  /** A duration, or "infinity". */
  public Timeout timeout(String name) {
    Timeout timeout =
        scalar(
            name,
            Presence.OPTIONAL,
            ValueTypes.parsed(
                GoDuration.PATTERN + "|" + Timeout.INFINITY,
                "a duration such as \"1h30m\", or \"infinity\"",
                Timeout::parse));
    return timeout == null ? Timeout.DEFAULT : timeout;
  }

  // Structure

  /** A nested mapping; null if absent. */
  public <T> @Nullable T group(String name, Function<Fields, T> decoder) {
    traceGroup(name, Presence.OPTIONAL, decoder);
    Value value = take(name, Presence.OPTIONAL);
    return value == null ? null : nested(value, path.field(name), decoder);
  }

  /** A required nested mapping. */
  public <T> T requiredGroup(String name, Function<Fields, T> decoder) {
    traceGroup(name, Presence.REQUIRED, decoder);
    Value value = take(name, Presence.REQUIRED);
    T group = value == null ? null : nested(value, path.field(name), decoder);
    return group == null ? decoder.apply(tracing(new TreeMap<>())) : group;
  }

  /** Mappings; empty if absent. */
  public <T> List<T> groups(String name, Function<Fields, T> decoder) {
    if (trace != null) {
      trace(name, new ValueSchema.ListOf(ValueSchema.of(decoder)), Presence.OPTIONAL);
    }
    return sequence(
        name, Presence.OPTIONAL, (element, elementPath) -> nested(element, elementPath, decoder));
  }

  /** Strings by key; empty if absent. */
  public SortedMap<String, String> dictionary(String name) {
    trace(name, new ValueSchema.Dictionary(), Presence.OPTIONAL);
    Value value = take(name, Presence.OPTIONAL);
    SortedMap<String, String> strings = new TreeMap<>();
    if (value instanceof Mapping entries) {
      ValueTypes.Type<String> type = ValueTypes.text(TextRules.ANY);
      entries
          .fields()
          .forEach(
              (key, entry) -> {
                String text = convert(entry, path.field(name).key(key), type);
                if (text != null) {
                  strings.put(key, text);
                }
              });
    } else if (value != null) {
      wrongType(value, path.field(name), "a mapping");
    }
    return Collections.unmodifiableSortedMap(strings);
  }

  /** A required message of Envoy's API; the default instance if it cannot be decoded. */
  public Any requiredMessage(String name) {
    trace(name, new ValueSchema.Typed(), Presence.REQUIRED);
    Value value = take(name, Presence.REQUIRED);
    if (value == null) {
      return Any.getDefaultInstance();
    }
    TypedConfig config = TypedConfig.read(value);
    problems.addNested(name, config.problems());
    return config.any() == null ? Any.getDefaultInstance() : config.any();
  }

  /** Marks fields as known that are valid but have no effect here. */
  public void ignore(String... names) {
    for (String name : names) {
      trace(name, new ValueSchema.Anything(), Presence.OPTIONAL);
      known.add(name);
    }
  }

  /** Rejects a field that has a meaning elsewhere; such a field is never silently ignored. */
  public void reject(String name, String what) {
    trace(name, new ValueSchema.Unsupported(), Presence.OPTIONAL);
    if (take(name, Presence.OPTIONAL) != null) {
      problems.reject(name, what);
    }
  }

  // Problems that decoders find themselves

  /** Whether the author wrote this field. */
  public boolean has(String name) {
    return !ValueTypes.isNull(mapping.fields().get(name));
  }

  /** Whether the author wrote an empty sequence. */
  public boolean isEmptySequence(String name) {
    return value(name) instanceof Sequence sequence && sequence.elements().isEmpty();
  }

  /** Reports a problem with the mapping as a whole. */
  public void invalid(String message) {
    problems.invalid(message);
  }

  /** Reports that something is missing in the mapping. */
  public void missing(String name, String message) {
    problems.missing(name, message);
  }

  /** Reports a problem with a field. */
  public void invalid(String name, String message) {
    problems.invalid(name, message);
  }

  /** Reports a problem with an element of a field. */
  public void invalid(String name, int index, String message) {
    problems.invalid(name, index, message);
  }

  /** Reports a problem with an element of a field that is left out; the rest is used. */
  public void leftOut(String name, int index, String message) {
    problems.leftOut(name, index, message);
  }

  /** Reports a problem with an entry of a mapping. */
  public void invalid(String name, String key, String message) {
    problems.invalid(name, key, message);
  }

  /** Reports a field that needs an unsupported feature. */
  public void unsupported(String name, String what) {
    problems.unsupported(name, what);
  }

  /** Reports the fields that the decoder did not read. */
  void reportUnknown() {
    problems.unknown(known);
  }

  // Implementation

  private @Nullable Value value(String name) {
    return mapping.fields().get(name);
  }

  private void trace(String name, ValueSchema schema, Presence presence) {
    if (trace != null) {
      trace.put(name, new ValueSchema.Property(schema, presence));
    }
  }

  private void traceGroup(String name, Presence presence, Function<Fields, ?> decoder) {
    if (trace != null) {
      trace(name, ValueSchema.of(decoder), presence);
    }
  }

  private @Nullable Value take(String name, Presence presence) {
    known.add(name);
    Value value = value(name);
    if (!ValueTypes.isNull(value)) {
      return value;
    }
    if (presence == Presence.REQUIRED) {
      missing(name, "missing");
    }
    return null;
  }

  private <T> @Nullable T scalar(String name, Presence presence, ValueTypes.Type<T> type) {
    trace(name, type.schema(), presence);
    Value value = take(name, presence);
    return value == null ? null : convert(value, path.field(name), type);
  }

  private <T> List<T> elements(String name, Presence presence, ValueTypes.Type<T> type) {
    trace(name, new ValueSchema.ListOf(type.schema()), presence);
    return sequence(name, presence, (element, at) -> convert(element, at, type));
  }

  private <T> List<T> sequence(
      String name, Presence presence, BiFunction<Value, Path, @Nullable T> read) {
    Value value = take(name, presence);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof Sequence sequence)) {
      wrongType(value, path.field(name), "a sequence");
      return List.of();
    }
    List<T> elements = new ArrayList<>();
    for (int i = 0; i < sequence.elements().size(); i++) {
      T element = read.apply(sequence.elements().get(i), path.field(name).element(i));
      if (element != null) {
        elements.add(element);
      }
    }
    return List.copyOf(elements);
  }

  private <T> @Nullable T nested(Value value, Path at, Function<Fields, T> decoder) {
    if (!(value instanceof Mapping nested)) {
      wrongType(value, at, "a mapping");
      return null;
    }
    Fields fields = new Fields(context, nested, nested.position(), at, null);
    T group = decoder.apply(fields);
    fields.reportUnknown();
    return group;
  }

  private <T> @Nullable T convert(Value value, Path at, ValueTypes.Type<T> type) {
    return type.convert(
        value, message -> problems.report(at, Problem.Kind.INVALID, message, value.position()));
  }

  private void wrongType(Value value, Path at, String expected) {
    problems.report(
        at, Problem.Kind.INVALID, ValueTypes.wrongType(value, expected), value.position());
  }
}
