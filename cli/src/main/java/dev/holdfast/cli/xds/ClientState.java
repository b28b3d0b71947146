// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.cli.xds;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.envoyproxy.envoy.admin.v3.ClientResourceStatus;
import io.envoyproxy.envoy.admin.v3.UpdateFailureState;
import io.envoyproxy.envoy.service.status.v3.ClientConfig;
import io.envoyproxy.envoy.service.status.v3.ClientConfig.GenericXdsConfig;
import io.envoyproxy.envoy.service.status.v3.ClientStatusResponse;
import io.envoyproxy.envoy.service.status.v3.ConfigStatus;
import io.grpc.Status;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One xDS client of a process, as CSDS describes it.
 *
 * @param nodeId what it calls itself to its servers
 * @param scope what it is for, if the process has several (gRPC: the target it serves)
 */
record ClientState(String nodeId, String scope, List<Entry> entries) {
  private static final Comparator<ClientState> ORDER =
      Comparator.comparing(ClientState::nodeId).thenComparing(ClientState::scope);

  static List<ClientState> of(ClientStatusResponse response) {
    return response.getConfigList().stream().map(ClientState::of).sorted(ORDER).toList();
  }

  private static ClientState of(ClientConfig client) {
    Stream<GenericXdsConfig> configs =
        Stream.concat(client.getGenericXdsConfigsList().stream(), LegacyCsdsReader.configs(client));
    return new ClientState(
        client.getNode().getId(),
        client.getClientScope(),
        Entry.sorted(configs.map(ClientState::entry).toList()));
  }

  private static Entry entry(GenericXdsConfig config) {
    String state = state(config);
    boolean cached = config.hasXdsConfig();
    boolean agreed = state.equals("ACKED") || state.equals("SYNCED");
    return new Entry(
        TypeAlias.forTypeUrl(config.getTypeUrl()),
        config.getName(),
        state,
        state.toLowerCase(Locale.ROOT) + (cached && !agreed ? "_but_cached" : ""),
        config.getVersionInfo().isEmpty() ? null : config.getVersionInfo(),
        cached,
        config.hasErrorState() ? problem(config.getErrorState()) : null,
        config.hasLastUpdated() ? instant(config.getLastUpdated()) : null);
  }

  /** A client's own view or, from a control plane that reports on its clients, the server's. */
  private static String state(GenericXdsConfig config) {
    boolean told =
        config.getClientStatus() == ClientResourceStatus.UNKNOWN
            && config.getConfigStatus() != ConfigStatus.UNKNOWN;
    return told ? config.getConfigStatus().name() : config.getClientStatus().name();
  }

  /** CSDS has no field for the code; some clients begin the text with it. */
  private static Entry.Problem problem(UpdateFailureState failure) {
    String details = failure.getDetails();
    int colon = details.indexOf(": ");
    String code = colon < 0 ? details : details.substring(0, colon);
    if (Arrays.stream(Status.Code.values()).noneMatch(known -> known.name().equals(code))) {
      return new Entry.Problem(/* code= */ null, details);
    }
    return new Entry.Problem(code, colon < 0 ? "" : details.substring(colon + 2));
  }

  /** Null for what is no time: some clients send the year 1 for "never". */
  private static @Nullable Instant instant(Timestamp time) {
    return Timestamps.isValid(time) && time.getSeconds() > 0
        ? Instant.ofEpochSecond(time.getSeconds(), time.getNanos())
        : null;
  }

  static JsonArray json(List<ClientState> clients) {
    JsonArray array = new JsonArray();
    for (ClientState client : clients) {
      JsonObject json = new JsonObject();
      json.addProperty("node_id", client.nodeId);
      json.addProperty("client_scope", client.scope);
      json.add("entries", Entry.json(client.entries));
      array.add(json);
    }
    return array;
  }
}
