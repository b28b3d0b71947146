// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import dev.holdfast.controlplane.translate.proto.Anys;
import io.envoyproxy.envoy.config.accesslog.v3.AccessLog;
import io.envoyproxy.envoy.extensions.access_loggers.stream.v3.StdoutAccessLog;
import java.util.List;

/** Access logs of requests and connections. */
final class AccessLogs {
  private static final AccessLog STDOUT =
      AccessLog.newBuilder()
          .setName("envoy.access_loggers.stdout")
          .setTypedConfig(Anys.of(StdoutAccessLog.getDefaultInstance()))
          .build();

  private AccessLogs() {}

  static List<AccessLog> of(HttpOptions options) {
    return switch (options.accessLog()) {
      case NONE -> List.of();
      case STDOUT -> List.of(STDOUT);
    };
  }
}
