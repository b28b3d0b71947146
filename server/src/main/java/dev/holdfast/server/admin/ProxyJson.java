// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.admin;

import com.google.gson.stream.JsonWriter;
import dev.holdfast.controlplane.report.FleetReport;
import dev.holdfast.controlplane.report.ProxyReport;
import dev.holdfast.controlplane.report.ProxyReport.DivergedReport;
import dev.holdfast.controlplane.report.ProxyReport.ErrorReport;
import dev.holdfast.controlplane.report.ProxyReport.RemovalReport;
import dev.holdfast.controlplane.report.ProxyReport.StreamReport;
import dev.holdfast.controlplane.report.ProxyReport.TypeReport;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes proxies as docs/admin-api.md describes them. */
final class ProxyJson {
  private ProxyJson() {}

  static void list(JsonWriter json, List<ProxyReport> proxies, List<FleetReport> fleets)
      throws IOException {
    json.beginObject();
    json.name("items");
    JsonText.array(json, proxies, ProxyJson::write);
    json.name("fleets");
    JsonText.array(json, fleets, ProxyJson::fleet);
    json.endObject();
  }

  static void fleet(JsonWriter json, FleetReport fleet) throws IOException {
    json.beginObject();
    json.name("name").value(fleet.name());
    json.name("expected").value(fleet.expected());
    json.name("connected").value(fleet.connected());
    json.name("missingSince").value(Times.textOrNull(fleet.missingSince()));
    json.endObject();
  }

  static void write(JsonWriter json, ProxyReport report) throws IOException {
    json.beginObject();
    json.name("node").value(report.node());
    json.name("cluster").value(report.cluster());
    json.name("class").value(report.proxyClass());
    json.name("agent").value(report.agent());
    json.name("diverged");
    diverged(json, report.diverged());
    if (report.isNew()) {
      json.name("newClass").value(true);
    }
    if (report.sharedNodeId() != null) {
      json.name("sharedNodeId").value(report.sharedNodeId());
    }
    if (report.scout() != null) {
      json.name("scout").beginObject().name("idle").value(report.scout().idle()).endObject();
    }
    json.name("streams");
    JsonText.array(json, report.streams(), ProxyJson::stream);
    json.endObject();
  }

  private static void diverged(JsonWriter json, @Nullable DivergedReport diverged)
      throws IOException {
    if (diverged == null) {
      json.nullValue();
      return;
    }
    json.beginObject();
    json.name("since").value(Times.text(diverged.since()));
    json.name("message").value(diverged.message());
    json.endObject();
  }

  private static void stream(JsonWriter json, StreamReport stream) throws IOException {
    json.beginObject();
    json.name("id").value(stream.id());
    json.name("address").value(stream.address());
    if (!stream.identity().isEmpty()) {
      json.name("identity").value(stream.identity());
    }
    json.name("protocol").value(stream.protocol());
    json.name("aggregated").value(stream.aggregated());
    json.name("since").value(Times.text(stream.since()));
    json.name("types");
    JsonText.array(json, stream.types(), ProxyJson::type);
    json.endObject();
  }

  private static void type(JsonWriter json, TypeReport type) throws IOException {
    json.beginObject();
    json.name("type").value(type.type().word());
    json.name("typeUrl").value(type.type().typeUrl());
    json.name("wildcard").value(type.wildcard());
    json.name("names").value(type.names());
    json.name("versionSent").value(type.versionSent());
    json.name("versionAccepted").value(type.versionAccepted());
    json.name("resources").value(type.resources());
    json.name("pendingSince").value(Times.textOrNull(type.pendingSince()));
    json.name("lastError");
    error(json, type.lastError());
    json.name("refusedRemovals");
    JsonText.array(json, type.refusedRemovals(), ProxyJson::removal);
    json.name("refuses");
    JsonText.strings(json, type.refuses());
    json.endObject();
  }

  private static void removal(JsonWriter json, RemovalReport removal) throws IOException {
    json.beginObject();
    json.name("resource").value(removal.resource());
    json.name("message").value(removal.message());
    json.name("at").value(Times.text(removal.at()));
    json.endObject();
  }

  private static void error(JsonWriter json, @Nullable ErrorReport error) throws IOException {
    if (error == null) {
      json.nullValue();
      return;
    }
    json.beginObject();
    json.name("message").value(error.message());
    json.name("at").value(Times.text(error.at()));
    json.name("resources");
    JsonText.strings(json, error.resources());
    json.name("retryAt").value(Times.textOrNull(error.retryAt()));
    json.endObject();
  }
}
