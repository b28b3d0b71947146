// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.config.files;

import dev.holdfast.config.Mapping;
import dev.holdfast.config.Position;
import dev.holdfast.config.Scalar;
import dev.holdfast.config.Sequence;
import dev.holdfast.config.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Builds values from a parser's events. The parser keeps its own stack on the heap, so the limit on
 * depth here is what bounds recursion.
 *
 * <p>An alias is the value it stands for, by reference: it costs no memory, but everybody who walks
 * the value pays for it again. So what is limited is the number of values as a walker sees them.
 */
final class DocumentBuilder {
  static final int DEEPEST = 100;
  static final int MOST_VALUES = 1_000_000;

  private static final String TAG_PREFIX = "tag:yaml.org,2002:";

  /** A value with what it costs to walk it. */
  private record Node(Value value, int values, int height) {}

  /** The file asks for more than is given to one; nothing after it is read. */
  static final class LimitException extends RuntimeException {
    private static final long serialVersionUID = 1;

    final transient Position where;
    final String problem;

    LimitException(Position where, String problem) {
      super(problem, null, false, false);
      this.where = where;
      this.problem = problem;
    }
  }

  private final String source;
  private final Iterator<Event> events;
  private final ProblemCollector findings;
  private final Map<Anchor, Node> anchors = new HashMap<>();
  private int values;

  DocumentBuilder(String source, Iterator<Event> events, ProblemCollector findings) {
    this.source = source;
    this.events = events;
    this.findings = findings;
  }

  /** Goes to where the next document begins; false at the end of the file. */
  boolean skipToDocument() {
    while (events.hasNext()) {
      if (events.next().getEventId() == Event.ID.DocumentStart) {
        return true;
      }
    }
    return false;
  }

  /** The document that begins here, which is of use only if nothing was found wrong with it. */
  Value document() {
    anchors.clear(); // names are the document's own
    return node(events.next(), FieldPath.ROOT, 1).value();
  }

  private Node node(Event event, FieldPath place, int depth) {
    Position position = position(event);
    if (depth > DEEPEST) {
      throw new LimitException(
          position, "depth: more than " + DEEPEST + " (expected: values nested less deeply)");
    }
    if (event instanceof AliasEvent alias) {
      return alias(alias, place, position, depth);
    }
    count(1, position);
    Node node;
    if (event instanceof ScalarEvent scalar) {
      node = new Node(Scalars.resolve(scalar, place, position, findings), 1, 1);
    } else if (event.getEventId() == Event.ID.SequenceStart) {
      checkTag((CollectionStartEvent) event, "seq", place, position);
      node = sequence(place, position, depth);
    } else {
      checkTag((CollectionStartEvent) event, "map", place, position);
      node = mapping(place, position, depth);
    }
    ((NodeEvent) event).getAnchor().ifPresent(anchor -> anchors.put(anchor, node));
    return node;
  }

  private Node alias(AliasEvent event, FieldPath place, Position position, int depth) {
    Node node = anchors.get(event.getAlias());
    if (node == null) {
      findings.invalid(
          place,
          position,
          "alias: *"
              + YamlText.shown(event.getAlias().getValue())
              + " (expected: the name of an anchor whose value ends before it)");
      return new Node(new Scalar(null, position), 1, 1);
    }
    if (depth + node.height() - 1 > DEEPEST) {
      throw new LimitException(
          position,
          "depth: more than " + DEEPEST + " with aliases (expected: values nested less deeply)");
    }
    count(node.values(), position);
    return node;
  }

  private Node sequence(FieldPath place, Position position, int depth) {
    List<Value> elements = new ArrayList<>();
    int size = 1;
    int height = 0;
    for (Event event = events.next();
        event.getEventId() != Event.ID.SequenceEnd;
        event = events.next()) {
      Node element = node(event, place.element(elements.size()), depth + 1);
      elements.add(element.value());
      size += element.values();
      height = Math.max(height, element.height());
    }
    return new Node(new Sequence(elements, position), size, height + 1);
  }

  private Node mapping(FieldPath place, Position position, int depth) {
    Map<String, Value> fields = new LinkedHashMap<>();
    Map<String, Position> keys = new LinkedHashMap<>();
    int size = 1;
    int height = 0;
    for (Event event = events.next();
        event.getEventId() != Event.ID.MappingEnd;
        event = events.next()) {
      Position keyPosition = position(event);
      String key = key(node(event, place, depth + 1).value(), place, keyPosition);
      Node value = node(events.next(), key == null ? place : place.field(key), depth + 1);
      size += value.values() + 1;
      height = Math.max(height, value.height());
      if (key == null) {
        continue;
      }
      Position first = keys.putIfAbsent(key, keyPosition);
      if (first == null) {
        fields.put(key, value.value());
      } else {
        findings.invalid(
            place.field(key),
            keyPosition,
            "written twice (expected: once; the first is in line " + first.line() + ")");
      }
    }
    return new Node(new Mapping(fields, keys, position), size, height + 1);
  }

  private @Nullable String key(Value value, FieldPath place, Position position) {
    if (value instanceof Scalar scalar && scalar.value() instanceof String key) {
      if (key.equals("<<")) {
        findings.unsupported(
            place,
            position,
            "merge key: << (expected: the fields written out; YAML 1.2 has no merging)");
        return null;
      }
      return key;
    }
    findings.invalid(
        place,
        position,
        "key: "
            + (value instanceof Scalar scalar ? String.valueOf(scalar.value()) : "a collection")
            + " (expected: a string; put quotes around it if it is meant as one)");
    return null;
  }

  private void checkTag(
      CollectionStartEvent event, String expected, FieldPath place, Position position) {
    Optional<String> tag = event.getTag();
    if (tag.isPresent() && !tag.get().equals("!") && !tag.get().equals(TAG_PREFIX + expected)) {
      findings.unsupported(
          place,
          position,
          "tag: " + YamlText.shown(tag.get()) + " (expected: none, or !!" + expected + ")");
    }
  }

  private void count(int more, Position position) {
    if (more > MOST_VALUES - values) {
      throw new LimitException(
          position,
          "values: more than "
              + MOST_VALUES
              + " with aliases (expected: fewer; split the file or use fewer aliases)");
    }
    values += more;
  }

  private Position position(Event event) {
    Optional<Mark> mark = event.getStartMark();
    return mark.map(m -> new Position(source, m.getLine() + 1, m.getColumn() + 1))
        .orElseGet(() -> Position.of(source));
  }
}
