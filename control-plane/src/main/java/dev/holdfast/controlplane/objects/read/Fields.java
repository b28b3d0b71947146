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
 * The fields of one mapping. Every reader returns a usable value, also after it has reported a
 * problem, so that a decoder goes on and finds the rest; what it builds is thrown away then. A
 * field that was never asked for is unknown, and a problem. Null is as good as absent.
 */
public final class Fields {
  private final DecodingContext reading;
  private final Mapping mapping;
  private final Path path;
  private final FieldProblems complaints;
  private final @Nullable Map<String, ValueSchema.Property> trace;
  private final Set<String> known = new LinkedHashSet<>();

  Fields(
      DecodingContext reading,
      Mapping mapping,
      Position position,
      Path path,
      @Nullable Map<String, ValueSchema.Property> trace) {
    this.reading = reading;
    this.mapping = mapping;
    this.path = path;
    this.complaints = new FieldProblems(reading, mapping, position, path);
    this.trace = trace;
  }

  /** Fields without values, which note what they are asked for. */
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

  /** A string that must be there. */
  public String requiredText(String name, TextRule rule) {
    String text = scalar(name, Presence.REQUIRED, ValueTypes.text(rule));
    return text == null ? "" : text;
  }

  /** Strings; empty if absent. */
  public List<String> texts(String name, TextRule rule) {
    return elements(name, Presence.OPTIONAL, ValueTypes.text(rule));
  }

  /** At least one string. */
  public List<String> requiredTexts(String name, TextRule rule) {
    List<String> texts = elements(name, Presence.REQUIRED, ValueTypes.text(rule));
    if (isEmptySequence(name)) {
      invalid(name, "[] (expected: at least one)");
    }
    return texts;
  }

  /** One of the words of an enum; null if absent. */
  public <E extends Enum<E> & EnumWord> @Nullable E word(String name, Class<E> words) {
    return scalar(name, Presence.OPTIONAL, ValueTypes.word(words));
  }

  /** One of the words of an enum; the fallback if absent. */
  public <E extends Enum<E> & EnumWord> E word(String name, E fallback) {
    E word = word(name, fallback.getDeclaringClass());
    return word == null ? fallback : word;
  }

  /** Words of an enum; empty if absent. */
  public <E extends Enum<E> & EnumWord> List<E> words(String name, Class<E> words) {
    return elements(name, Presence.OPTIONAL, ValueTypes.word(words));
  }

  /** A word that must be there; the fallback if it is not. */
  public <E extends Enum<E> & EnumWord> E requiredWord(String name, E fallback) {
    E word = scalar(name, Presence.REQUIRED, ValueTypes.word(fallback.getDeclaringClass()));
    return word == null ? fallback : word;
  }

  // Numbers, flags, time

  /** A whole number; null if absent. */
  public @Nullable Long whole(String name, long min, long max) {
    return scalar(name, Presence.OPTIONAL, ValueTypes.whole(min, max));
  }

  /** A whole number; the fallback if absent. */
  public long whole(String name, long min, long max, long fallback) {
    Long number = whole(name, min, max);
    return number == null ? fallback : number;
  }

  /** A whole number that must be there. */
  public long requiredWhole(String name, long min, long max) {
    Long number = scalar(name, Presence.REQUIRED, ValueTypes.whole(min, max));
    return number == null ? min : number;
  }

  /** Whole numbers; empty if absent. */
  public List<Long> wholes(String name, long min, long max) {
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

  /** A nested mapping that must be there. */
  public <T> T requiredGroup(String name, Function<Fields, T> decoder) {
    traceGroup(name, Presence.REQUIRED, decoder);
    Value value = take(name, Presence.REQUIRED);
    T group = value == null ? null : nested(value, path.field(name), decoder);
    return group == null ? decoder.apply(tracing(new TreeMap<>())) : group;
  }

  /** Mappings; empty if absent. */
  public <T> List<T> groups(String name, Function<Fields, T> decoder) {
    if (trace != null) {
      trace(name, new ValueSchema.Many(ValueSchema.of(decoder)), Presence.OPTIONAL);
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

  /** Whatever is written there; null if nothing. */
  public @Nullable Value anything(String name) {
    trace(name, new ValueSchema.Anything(), Presence.OPTIONAL);
    return take(name, Presence.OPTIONAL);
  }

  /** A message of Envoy's API, which must be there; the default one if it cannot be read. */
  public Any requiredMessage(String name) {
    trace(name, new ValueSchema.Typed(), Presence.REQUIRED);
    Value value = take(name, Presence.REQUIRED);
    if (value == null) {
      return Any.getDefaultInstance();
    }
    TypedConfig config = TypedConfig.read(value);
    complaints.inside(name, config.problems());
    return config.any() == null ? Any.getDefaultInstance() : config.any();
  }

  /** Fields that are right to write and mean nothing here. */
  public void unused(String... names) {
    for (String name : names) {
      trace(name, new ValueSchema.Anything(), Presence.OPTIONAL);
      known.add(name);
    }
  }

  /** A field that means something elsewhere; it is never silently ignored. */
  public void refused(String name, String what) {
    trace(name, new ValueSchema.Refused(), Presence.OPTIONAL);
    if (take(name, Presence.OPTIONAL) != null) {
      complaints.refused(name, what);
    }
  }

  // What decoders find out themselves

  /** Whether the author wrote this field. */
  public boolean has(String name) {
    return !ValueTypes.isNull(mapping.fields().get(name));
  }

  /** Whether the author wrote a sequence with nothing in it. */
  public boolean isEmptySequence(String name) {
    return value(name) instanceof Sequence sequence && sequence.elements().isEmpty();
  }

  /** The mapping as a whole is wrong. */
  public void invalid(String message) {
    complaints.invalid(message);
  }

  /** The mapping lacks something. */
  public void missing(String name, String message) {
    complaints.missing(name, message);
  }

  /** A field is wrong. */
  public void invalid(String name, String message) {
    complaints.invalid(name, message);
  }

  /** An element of a field is wrong. */
  public void invalid(String name, int index, String message) {
    complaints.invalid(name, index, message);
  }

  /** An entry of a mapping is wrong. */
  public void invalid(String name, String key, String message) {
    complaints.invalid(name, key, message);
  }

  /** A field asks for what Holdfast does not do. */
  public void unsupported(String name, String what) {
    complaints.unsupported(name, what);
  }

  /** Reports what nobody asked for. */
  void reportUnknown() {
    complaints.unknown(known);
  }

  // How it is done

  private @Nullable Value value(String name) {
    return mapping.fields().get(name);
  }

  private void trace(String name, ValueSchema shape, Presence presence) {
    if (trace != null) {
      trace.put(name, new ValueSchema.Property(shape, presence));
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
    trace(name, type.shape(), presence);
    Value value = take(name, presence);
    return value == null ? null : convert(value, path.field(name), type);
  }

  private <T> List<T> elements(String name, Presence presence, ValueTypes.Type<T> type) {
    trace(name, new ValueSchema.Many(type.shape()), presence);
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
    Fields fields = new Fields(reading, nested, nested.position(), at, null);
    T group = decoder.apply(fields);
    fields.reportUnknown();
    return group;
  }

  private <T> @Nullable T convert(Value value, Path at, ValueTypes.Type<T> type) {
    return type.convert(
        value, message -> complaints.report(at, Problem.Kind.INVALID, message, value.position()));
  }

  private void wrongType(Value value, Path at, String expected) {
    complaints.report(
        at, Problem.Kind.INVALID, ValueTypes.wrongType(value, expected), value.position());
  }
}
