// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.compare;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.holdfast.cli.compare.FieldTexts.FieldDifference;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What two servers do for the same hosts.
 *
 * @param entries by host: its settings, then each of its routes
 */
record Comparison(List<Entry> entries) {
  /** What a comparison found. */
  enum Result {
    EQUAL,
    DIFFERENT,
    ONLY_THEIRS,
    ONLY_OURS;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /**
   * One part of a host.
   *
   * @param part a route, by what it matches, or {@code host} for the rest
   * @param differences by field; only if the result is DIFFERENT
   */
  record Entry(
      String host, String part, Result result, SortedMap<String, FieldDifference> differences) {}

  Comparison {
    entries = List.copyOf(entries);
  }

  static Comparison of(SortedMap<String, ServedHost> theirs, SortedMap<String, ServedHost> ours) {
    List<Entry> entries = new ArrayList<>();
    SortedSet<String> hosts = new TreeSet<>(theirs.keySet());
    hosts.addAll(ours.keySet());
    for (String host : hosts) {
      add(entries, host, theirs.get(host), ours.get(host));
    }
    return new Comparison(entries);
  }

  private static void add(
      List<Entry> entries, String host, @Nullable ServedHost theirs, @Nullable ServedHost ours) {
    if (theirs == null || ours == null) {
      entries.add(
          new Entry(
              host,
              "host",
              theirs == null ? Result.ONLY_OURS : Result.ONLY_THEIRS,
              Collections.emptySortedMap()));
      return;
    }
    SortedMap<String, FieldDifference> settings =
        FieldTexts.differences(theirs.settings, ours.settings);
    settings.putAll(orders(theirs, ours));
    entries.add(entry(host, "host", settings));
    SortedSet<String> matches = new TreeSet<>(theirs.routes.keySet());
    matches.addAll(ours.routes.keySet());
    for (String match : matches) {
      ServedHost.Route their = theirs.routes.get(match);
      ServedHost.Route our = ours.routes.get(match);
      if (their == null || our == null) {
        entries.add(
            new Entry(
                host,
                match,
                their == null ? Result.ONLY_OURS : Result.ONLY_THEIRS,
                Collections.emptySortedMap()));
      } else {
        entries.add(entry(host, match, FieldTexts.differences(their.fields(), our.fields())));
      }
    }
  }

  private static Entry entry(
      String host, String part, SortedMap<String, FieldDifference> differences) {
    return new Entry(
        host, part, differences.isEmpty() ? Result.EQUAL : Result.DIFFERENT, differences);
  }

  /** Two routes that one request can match, in another order. */
  private static SortedMap<String, FieldDifference> orders(ServedHost theirs, ServedHost ours) {
    SortedMap<String, FieldDifference> found = new TreeMap<>();
    List<String> order = List.copyOf(ours.routes.keySet());
    List<Map.Entry<String, ServedHost.Route>> routes = List.copyOf(theirs.routes.entrySet());
    for (int i = 0; i < routes.size(); i++) {
      for (int j = i + 1; j < routes.size(); j++) {
        int first = order.indexOf(routes.get(i).getKey());
        int second = order.indexOf(routes.get(j).getKey());
        if (first >= 0
            && second >= 0
            && first > second
            && routes.get(i).getValue().path().overlaps(routes.get(j).getValue().path())) {
          found.put(
              "order of '" + routes.get(i).getKey() + "' and '" + routes.get(j).getKey() + "'",
              new FieldDifference("the first is tried first", "the second is tried first"));
        }
      }
    }
    return found;
  }

  boolean isEqual() {
    return entries.stream().allMatch(entry -> entry.result() == Result.EQUAL);
  }

  // For people and programs.

  List<String> table(boolean all, int width, Style style) {
    List<String> lines = new ArrayList<>();
    Table table =
        new Table(
            "FIELDS (THEIRS -> OURS)",
            Table.Column.of("HOST"),
            new Table.Column("PART", Table.Overflow.WRAP, 12),
            Table.Column.of("RESULT"));
    boolean isEmpty = true;
    for (Entry entry : entries) {
      if (all || entry.result() != Result.EQUAL) {
        isEmpty = false;
        table.add(
            note(entry),
            Table.Cell.of(entry.host()),
            Table.Cell.of(entry.part()),
            new Table.Cell(
                entry.result().toString(),
                entry.result() == Result.EQUAL ? Colour.GOOD : Colour.WARNING));
      }
    }
    if (!isEmpty) {
      lines.addAll(table.render(width, style));
      lines.add("");
    }
    lines.add(summary());
    return lines;
  }

  private static String note(Entry entry) {
    List<String> notes = new ArrayList<>();
    entry
        .differences()
        .forEach(
            (path, difference) ->
                notes.add(
                    path
                        + ": "
                        + orNone(difference.theirs())
                        + " -> "
                        + orNone(difference.ours())));
    return String.join("; ", notes);
  }

  private static String orNone(String text) {
    return text.isEmpty() ? "(not set)" : text;
  }

  private String summary() {
    long hosts = entries.stream().map(Entry::host).distinct().count();
    List<String> counts = new ArrayList<>();
    for (Result result : Result.values()) {
      long count = entries.stream().filter(entry -> entry.result() == result).count();
      if (count > 0) {
        counts.add(count + " " + result);
      }
    }
    return hosts
        + (hosts == 1 ? " host" : " hosts")
        + (counts.isEmpty() ? "" : "; hosts and routes: " + String.join(", ", counts));
  }

  JsonObject json() {
    JsonArray items = new JsonArray();
    for (Entry entry : entries) {
      JsonObject item = new JsonObject();
      item.addProperty("host", entry.host());
      item.addProperty("part", entry.part());
      item.addProperty("result", entry.result().name().toLowerCase(Locale.ROOT));
      JsonArray fields = new JsonArray();
      entry
          .differences()
          .forEach(
              (path, difference) -> {
                JsonObject field = new JsonObject();
                field.addProperty("field", path);
                field.addProperty("theirs", difference.theirs());
                field.addProperty("ours", difference.ours());
                fields.add(field);
              });
      item.add("fields", fields);
      items.add(item);
    }
    JsonObject json = new JsonObject();
    json.addProperty("equal", isEqual());
    json.add("items", items);
    return json;
  }
}
