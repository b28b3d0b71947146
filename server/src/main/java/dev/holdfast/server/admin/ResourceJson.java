// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.stream.JsonWriter;
import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.report.ResourceReport;
import dev.holdfast.controlplane.snapshot.Resource;
import dev.holdfast.controlplane.snapshot.ResourceId;
import dev.holdfast.controlplane.snapshot.SourcePlace;
import dev.holdfast.server.proto.ProtoJson;
import dev.holdfast.server.proto.Redaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A resource, as docs/admin-api.md shows it: alone with its body and the names of the proxies; in a
 * list without, since lists of thousands by thousands are of use to nobody.
 */
final class ResourceJson {
  private static final Gson GSON =
      new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

  private ResourceJson() {}

  static void id(JsonWriter json, ResourceId id) throws IOException {
    json.beginObject();
    json.name("type").value(id.type().word());
    json.name("name").value(id.name());
    json.endObject();
  }

  static void summary(JsonWriter json, ResourceReport report) throws IOException {
    json.beginObject();
    head(json, report);
    json.endObject();
  }

  static void whole(JsonWriter json, ResourceReport report) throws IOException {
    Resource resource = report.resource();
    json.beginObject();
    head(json, report);
    json.name("accepted");
    JsonText.strings(json, report.accepted());
    json.name("pending");
    JsonText.strings(json, report.pending());
    json.name("rejected");
    JsonText.strings(json, report.rejected());
    json.name("clusters");
    List<String> clusters = new ArrayList<>();
    resource.clusters().forEach((name, unused) -> clusters.add(name));
    JsonText.strings(json, clusters);
    json.name("provenance");
    json.beginArray();
    for (SourcePlace place : resource.provenance().places()) {
      place(json, place, report.locations().getOrDefault(place, ""));
    }
    json.endArray();
    json.name("body");
    body(json, resource);
    json.endObject();
  }

  private static void head(JsonWriter json, ResourceReport report) throws IOException {
    Resource resource = report.resource();
    json.name("type").value(resource.id().type().word());
    json.name("name").value(resource.name());
    json.name("typeUrl").value(resource.id().type().typeUrl());
    json.name("version").value(resource.version());
    json.name("bytes").value(resource.body().size());
    json.name("onlyByName").value(resource.audience() == Resource.Audience.BY_NAME);
    json.name("objects").beginArray();
    for (Map.Entry<ObjectKey, String> contribution : resource.contributions()) {
      ObjectJson.keyOrNull(json, contribution.getKey());
    }
    json.endArray();
    json.name("proxies").beginObject();
    json.name("accepted").value(report.accepted().size());
    json.name("pending").value(report.pending().size());
    json.name("rejected").value(report.rejected().size());
    json.endObject();
  }

  private static void place(JsonWriter json, SourcePlace place, String location)
      throws IOException {
    json.beginObject();
    json.name("path").value(place.path());
    json.name("object");
    ObjectJson.keyOrNull(json, place.object());
    json.name("generation").value(place.generation());
    json.name("field").value(place.field());
    json.name("location").value(location);
    json.endObject();
  }

  /**
   * Null if this program cannot read it: what it cannot read, it cannot take the secrets out of.
   */
  private static void body(JsonWriter json, Resource resource) throws IOException {
    Optional<JsonElement> body =
        Redaction.parse(resource.id().type().typeUrl(), resource.body())
            .map(message -> new ProtoJson().print(message));
    if (body.isPresent()) {
      GSON.toJson(body.get(), json);
    } else {
      json.nullValue();
    }
  }
}
