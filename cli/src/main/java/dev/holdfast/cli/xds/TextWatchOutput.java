// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.protobuf.Message;
import dev.holdfast.base.TimeSource;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.SafeText;
import dev.holdfast.cli.output.Style;
import dev.holdfast.cli.output.Style.Colour;
import dev.holdfast.cli.output.Times;
import dev.holdfast.cli.proto.ResourceSummary;
import dev.holdfast.xds.client.Resource;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.time.ZoneId;
import java.util.List;

/** One short line per event, for people. */
final class TextWatchOutput implements WatchOutput {
  private final Console console;
  private final Look look;
  private final TimeSource time;

  /** How lines are to look. */
  record Look(Style style, int width, ZoneId zone) {}

  TextWatchOutput(Console console, TimeSource time, Look look) {
    this.console = console;
    this.time = time;
    this.look = look;
  }

  @Override
  public void resourceChanged(ResourceKey key, StatusOr<Resource<Message>> resource) {
    if (resource.hasValue()) {
      Resource<Message> now = resource.getValue();
      String version = now.version().isEmpty() ? "" : "version " + now.version() + ": ";
      print("changed", Colour.GOOD, key, version + ResourceSummary.of(now.value()));
    } else {
      print("failed", Colour.BAD, key, describe(resource.getStatus()));
    }
  }

  @Override
  public void ambientError(ResourceKey key, Status status) {
    if (status.isOk()) {
      print("cleared", Colour.GOOD, key, "the ambient error is over");
    } else {
      print("ambient", Colour.WARNING, key, describe(status));
    }
  }

  @Override
  public void dump(List<Entry> entries) {
    console.print(EntryTable.render(entries, time.now(), look.width, look.style));
  }

  private void print(String event, Colour colour, ResourceKey key, String detail) {
    String clock = look.style.apply(Colour.FAINT, Times.clock(time.now(), look.zone));
    String what = look.style.apply(colour, String.format("%-7s", event));
    console.print(clock + "  " + what + "  " + SafeText.text(key + "  " + detail));
  }

  private static String describe(Status status) {
    String message = status.getDescription();
    return message == null || message.isEmpty()
        ? status.getCode().name()
        : status.getCode() + ": " + message;
  }
}
