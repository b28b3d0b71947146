// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.apply;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/**
 * Where the documents of a file begin and end, and the items of Lists in it. The file must be one
 * that the reader of objects could read.
 */
final class FileLayout {
  /** What can be replaced. */
  enum Kind {
    /** Everything between two separators, comments included. */
    DOCUMENT,
    /** One value of a List. */
    ITEM
  }

  /**
   * A part of the text.
   *
   * @param line where its value begins, from 1
   * @param column the same
   * @param start in characters
   * @param end in characters, exclusive
   */
  record Block(int line, int column, Kind kind, int start, int end) {}

  private final String text;
  private final boolean plain;
  private final Iterator<Event> events;
  private final List<Block> blocks = new ArrayList<>();

  private FileLayout(String text, boolean isJson) {
    this.text = text;
    plain = text.codePointCount(0, text.length()) == text.length();
    LoadSettings settings =
        LoadSettings.builder()
            .setCodePointLimit(Integer.MAX_VALUE)
            .setBufferSize(text.length() + 2)
            .build();
    // Only the places of things are of interest, and a tab is as wide as a blank.
    events = new Parse(settings).parseString(isJson ? text.replace('\t', ' ') : text).iterator();
  }

  /** The blocks in the order of the text; none of them holds another, but for those of Lists. */
  static List<Block> of(String text, boolean isJson) {
    FileLayout layout = new FileLayout(text, isJson);
    layout.read();
    return List.copyOf(layout.blocks);
  }

  private void read() {
    int end = 0;
    while (events.hasNext()) {
      Event event = events.next();
      if (event instanceof DocumentStartEvent document) {
        Event root = events.next();
        int begin = document.isExplicit() ? after(document) : end;
        root(root);
        Event last = events.next();
        end = at(last.getEndMark());
        Mark mark = mark(root.getStartMark());
        blocks.add(
            new Block(
                mark.getLine() + 1,
                mark.getColumn() + 1,
                Kind.DOCUMENT,
                begin,
                at(last.getStartMark())));
      }
    }
  }

  /** After a separator, and after its line if nothing else begins on it. */
  private int after(Event separator) {
    int end = at(separator.getEndMark());
    int next = end;
    while (next < text.length() && (text.charAt(next) == ' ' || text.charAt(next) == '\t')) {
      next++;
    }
    if (next < text.length() && text.charAt(next) != '#' && !isBreak(text.charAt(next))) {
      return end;
    }
    int newline = text.indexOf('\n', next);
    return newline < 0 ? end : newline + 1;
  }

  private static boolean isBreak(char c) {
    return c == '\n' || c == '\r';
  }

  private void root(Event root) {
    if (root.getEventId() != Event.ID.MappingStart) {
      node(root);
      return;
    }
    for (Event key = events.next(); key.getEventId() != Event.ID.MappingEnd; key = events.next()) {
      node(key);
      Event value = events.next();
      boolean items = key instanceof ScalarEvent name && name.getValue().equals("items");
      if (items && value.getEventId() == Event.ID.SequenceStart) {
        items();
      } else {
        node(value);
      }
    }
  }

  private void items() {
    for (Event item = events.next();
        item.getEventId() != Event.ID.SequenceEnd;
        item = events.next()) {
      Mark mark = mark(item.getStartMark());
      int start = at(item.getStartMark());
      String written = text.substring(start, node(item));
      blocks.add(
          new Block(
              mark.getLine() + 1,
              mark.getColumn() + 1,
              Kind.ITEM,
              start,
              start + written.stripTrailing().length()));
    }
  }

  /** Where a value ends; what follows it in its block, such as a comment, is not a part of it. */
  private int node(Event event) {
    int end = at(event.getEndMark());
    if (!(event instanceof CollectionStartEvent collection)) {
      return end;
    }
    for (Event next = events.next(); ; next = events.next()) {
      boolean last =
          next.getEventId() == Event.ID.SequenceEnd || next.getEventId() == Event.ID.MappingEnd;
      if (last) {
        return collection.isFlow() ? at(next.getEndMark()) : end;
      }
      end = Math.max(end, node(next));
    }
  }

  private int at(Optional<Mark> mark) {
    int index = mark(mark).getIndex();
    return plain ? index : text.offsetByCodePoints(0, index);
  }

  private static Mark mark(Optional<Mark> mark) {
    return mark.orElseThrow(() -> new IllegalStateException("the parser says no places"));
  }
}
