// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.gson.JsonObject;
import com.google.protobuf.Message;
import dev.holdfast.base.TimeSource;
import dev.holdfast.cli.output.Console;
import dev.holdfast.cli.output.Json;
import dev.holdfast.cli.output.Times;
import dev.holdfast.server.proto.ProtoJson;
import dev.holdfast.xds.client.Resource;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.util.List;

/** Prints one JSON object per line. */
final class JsonWatchOutput implements WatchOutput {
  private final Console console;
  private final TimeSource time;
  private final ProtoJson protoJson = new ProtoJson();

  JsonWatchOutput(Console console, TimeSource time) {
    this.console = console;
    this.time = time;
  }

  @Override
  public void resourceChanged(ResourceKey key, StatusOr<Resource<Message>> resource) {
    JsonObject line = event(key, "resource_changed", resource.getStatus());
    if (resource.hasValue()) {
      line.addProperty("version", resource.getValue().version());
      line.add("resource", protoJson.print(resource.getValue().value()));
    }
    console.print(Json.line(line));
  }

  @Override
  public void ambientError(ResourceKey key, Status status) {
    console.print(Json.line(event(key, "ambient_error", status)));
  }

  @Override
  public void dump(List<Entry> entries) {
    JsonObject line = new JsonObject();
    line.addProperty("event", "dump");
    line.add("entries", Entry.json(entries));
    console.print(Json.line(line));
  }

  private JsonObject event(ResourceKey key, String event, Status status) {
    JsonObject line = new JsonObject();
    line.addProperty("time", Times.rfc3339(time.now()));
    line.addProperty("type", key.type().word());
    line.addProperty("name", key.name());
    line.addProperty("event", event);
    line.add("status", json(status));
    return line;
  }

  private static JsonObject json(Status status) {
    JsonObject json = new JsonObject();
    json.addProperty("code", status.getCode().name());
    json.addProperty("message", status.getDescription() == null ? "" : status.getDescription());
    return json;
  }
}
