// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import dev.holdfast.cli.output.Times;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The table of {@code get proxies}, one line per stream. */
final class ProxyTable {
  private ProxyTable() {}

  static List<String> render(JsonObject list, Instant now, int width, Style style) {
    List<JsonObject> proxies = JsonFields.of(list, "items");
    List<String> fleets =
        JsonFields.of(list, "fleets").stream().map(fleet -> fleet(fleet, now)).toList();
    if (proxies.isEmpty()) {
      return fleets.isEmpty() ? List.of("no proxies") : fleets;
    }
    boolean identities =
        proxies.stream()
            .flatMap(proxy -> JsonFields.of(proxy, "streams").stream())
            .anyMatch(stream -> stream.has("identity"));
    Table table = new Table("REJECTED", columns(identities));
    for (JsonObject proxy : proxies) {
      for (JsonObject stream : JsonFields.of(proxy, "streams")) {
        List<JsonObject> types = JsonFields.of(stream, "types");
        List<Cell> cells = new ArrayList<>();
        cells.add(Cell.of(JsonFields.text(proxy, "node")));
        if (identities) {
          cells.add(Cell.of(JsonFields.text(stream, "identity")));
        }
        cells.add(Cell.of(JsonFields.text(proxy, "class")));
        cells.add(Cell.of(JsonFields.text(stream, "address")));
        cells.add(Cell.of(JsonFields.text(stream, "protocol")));
        cells.add(Cell.of(age(JsonFields.text(stream, "since"), now)));
        cells.add(
            Cell.of(
                Long.toString(
                    types.stream().mapToLong(type -> JsonFields.number(type, "resources")).sum())));
        cells.add(state(proxy, types));
        table.add(errors(proxy, types), cells.toArray(Cell[]::new));
      }
    }
    List<String> lines = new ArrayList<>(table.render(width, style));
    if (!fleets.isEmpty()) {
      lines.add("");
      lines.addAll(fleets);
    }
    return lines;
  }

  /** How many proxies of a fleet there are, of those that the operator expects. */
  private static String fleet(JsonObject fleet, Instant now) {
    String name = JsonFields.text(fleet, "name");
    String since = JsonFields.text(fleet, "missingSince");
    return (name.equals("all") ? "" : "fleet " + name + ": ")
        + JsonFields.number(fleet, "connected")
        + " of "
        + JsonFields.number(fleet, "expected")
        + " expected proxies are connected"
        + (since.isEmpty() ? "" : ", fewer for " + age(since, now));
  }

  private static Column[] columns(boolean identities) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("NODE", Overflow.WRAP, /* narrowest= */ 12));
    if (identities) {
      columns.add(new Column("IDENTITY", Overflow.WRAP, /* narrowest= */ 12));
    }
    columns.add(new Column("CLASS", Overflow.WRAP, /* narrowest= */ 12));
    for (String name : List.of("ADDRESS", "PROTOCOL", "AGE", "RESOURCES", "STATE")) {
      columns.add(Column.of(name));
    }
    return columns.toArray(Column[]::new);
  }

  private static Cell state(JsonObject proxy, List<JsonObject> types) {
    if (isDiverged(proxy)) {
      return new Cell("diverged", Colour.BAD);
    }
    if (proxy.has("scout")) {
      return idle(proxy).isEmpty()
          ? new Cell("scout", Colour.GOOD)
          : new Cell("scout, not asked", Colour.WARNING);
    }
    if (types.stream().anyMatch(ProxyTable::hasError)) {
      return new Cell("rejected", Colour.BAD);
    }
    if (proxy.has("newClass")) {
      return new Cell("new class", Colour.WARNING);
    }
    if (proxy.has("sharedNodeId")) {
      return new Cell("shared node id", Colour.WARNING);
    }
    return types.stream().anyMatch(type -> !JsonFields.text(type, "pendingSince").isEmpty())
        ? new Cell("pending", Colour.WARNING)
        : new Cell("synced", Colour.GOOD);
  }

  /** Whether a proxy rejects what it should run; an error about what is gone is history. */
  private static boolean hasError(JsonObject type) {
    JsonObject error = JsonFields.object(type, "lastError");
    return !error.isEmpty()
        && (!JsonFields.text(error, "retryAt").isEmpty()
            || !JsonFields.of(type, "refusedRemovals").isEmpty()
            || refuses(type));
  }

  /** Servers that do not say it are older. */
  private static boolean refuses(JsonObject type) {
    return type.has("refuses")
        ? !JsonFields.texts(type, "refuses").isEmpty()
        : !JsonFields.text(type, "versionSent").equals(JsonFields.text(type, "versionAccepted"));
  }

  /** Why a scout is not asked; empty if it is. */
  private static String idle(JsonObject proxy) {
    return JsonFields.text(JsonFields.object(proxy, "scout"), "idle");
  }

  private static boolean isDiverged(JsonObject proxy) {
    return !JsonFields.object(proxy, "diverged").isEmpty();
  }

  private static String errors(JsonObject proxy, List<JsonObject> types) {
    if (isDiverged(proxy)) {
      String message = JsonFields.text(JsonFields.object(proxy, "diverged"), "message");
      return message.startsWith("accepts what ")
          ? message
          : "other proxies of its class run this: " + message;
    }
    if (proxy.has("scout") && !idle(proxy).isEmpty()) {
      return idle(proxy);
    }
    return types.stream()
        .filter(ProxyTable::hasError)
        .map(
            type ->
                JsonFields.text(type, "type")
                    + ": "
                    + kept(JsonFields.of(type, "refusedRemovals"))
                    + JsonFields.text(JsonFields.object(type, "lastError"), "message"))
        .collect(Collectors.joining("; "));
  }

  /** What the proxy refuses to give up, as the beginning of a line. */
  private static String kept(List<JsonObject> removals) {
    if (removals.isEmpty()) {
      return "";
    }
    return "keeps "
        + JsonFields.text(removals.get(0), "resource")
        + (removals.size() == 1 ? "" : " and " + (removals.size() - 1) + " more")
        + ", whose removal it refuses: ";
  }

  static String age(String since, Instant now) {
    try {
      return Times.age(Instant.parse(since), now);
    } catch (DateTimeException e) {
      return "-";
    }
  }
}
