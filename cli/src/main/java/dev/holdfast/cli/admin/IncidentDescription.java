// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.admin;

import com.google.gson.JsonObject;
import dev.holdfast.cli.client.JsonFields;
import dev.holdfast.cli.client.ReportedObject;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Table;
import dev.holdfast.cli.output.Table.Cell;
import dev.holdfast.cli.output.Table.Column;
import dev.holdfast.cli.output.Table.Overflow;
import java.time.Instant;
import java.util.List;

/** One rejection for people: what was tried, and the evidence. */
final class IncidentDescription {
  private IncidentDescription() {}

  static List<String> render(JsonObject incident, Instant now, int width, Style style) {
    SectionedText sections = new SectionedText(width, style);
    sections.field("Incident", JsonFields.text(incident, "id"));
    sections.field("Age", ProxyTable.age(JsonFields.text(incident, "at"), now));
    sections.field("Class", JsonFields.text(incident, "class"));
    sections.field("Resource", ResourceTable.id(JsonFields.object(incident, "resource")));
    sections.field("Said", JsonFields.text(incident, "message"));
    sections.field("Changes", JsonFields.text(incident, "changes"));
    sections.field("Pushes", JsonFields.text(incident, "pushes"));
    String took = IncidentTable.duration(incident, "tookMillis");
    sections.field("Took", took.isEmpty() ? "still searching" : took);
    List<JsonObject> trials = JsonFields.of(incident, "trials");
    sections.table("Trials", trials(trials), trials.size());
    List<JsonObject> certificates = JsonFields.of(incident, "certificates");
    sections.table("To blame", certificates(certificates), certificates.size());
    sections.list("Steps", JsonFields.texts(incident, "steps"));
    return sections.lines();
  }

  private static Table trials(List<JsonObject> trials) {
    Table table =
        new Table(
            "CANARIES",
            Column.of("TRIAL"),
            Column.of("AFTER"),
            Column.of("CHANGES"),
            Column.of("ANSWER"));
    int number = 0;
    for (JsonObject trial : trials) {
      String answer = JsonFields.text(trial, "answer");
      table.add(
          String.join(", ", JsonFields.texts(trial, "canaries")),
          Cell.of(Integer.toString(number++)),
          Cell.of(IncidentTable.duration(trial, "afterMillis")),
          Cell.of(JsonFields.text(trial, "changes")),
          new Cell(answer, colour(answer)));
    }
    return table;
  }

  private static Colour colour(String answer) {
    return switch (answer) {
      case "accepted" -> Colour.GOOD;
      case "refused" -> Colour.BAD;
      default -> Colour.WARNING;
    };
  }

  private static Table certificates(List<JsonObject> certificates) {
    Table table =
        new Table(
            "MESSAGE",
            new Column("OBJECT", Overflow.WRAP, /* narrowest= */ 16),
            Column.of("GENERATION"),
            new Column("CLASS", Overflow.WRAP, /* narrowest= */ 12));
    for (JsonObject certificate : certificates) {
      table.add(
          ResourceTable.id(JsonFields.object(certificate, "resource"))
              + ": "
              + JsonFields.text(certificate, "message"),
          Cell.of(ReportedObject.key(JsonFields.object(certificate, "object"))),
          Cell.of(JsonFields.text(certificate, "generation")),
          Cell.of(JsonFields.text(certificate, "class")));
    }
    return table;
  }
}
