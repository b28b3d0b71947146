// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import dev.holdfast.base.Problems;
import dev.holdfast.grpc.transport.ChannelSecurity;
import dev.holdfast.xds.client.Credentials;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code channel_creds}: the first that we can use is used; what it says must then be right. */
final class CredentialsParser {
  private static final String FIELD = "channel_creds";

  private CredentialsParser() {}

  static @Nullable Credentials parse(Fields server) {
    Problems problems = server.problems();
    if (!server.has(FIELD)) {
      problems.at(FIELD).required("missing (expected: an array of credentials, " + types() + ")");
      return null;
    }
    int before = problems.count();
    List<String> offered = new ArrayList<>();
    Credentials chosen = null;
    for (Fields element : server.objects(FIELD)) {
      String type = element.requiredString("type", types());
      if (type == null) {
        continue;
      }
      offered.add(type);
      if (chosen == null && ChannelSecurity.supportedTypes().contains(type)) {
        Map<String, ?> config = BootstrapParser.config(element);
        chosen = new Credentials(type, config);
        ChannelSecurity.check(chosen, element.problems().at("config"));
      }
    }
    if (chosen == null && problems.count() == before) {
      problems.at(FIELD).unsupported(noneSupported(offered));
    }
    return chosen;
  }

  static String noneSupported(List<String> offered) {
    return offered + " (expected: at least one of " + ChannelSecurity.supportedTypes() + ")";
  }

  private static String types() {
    return "one of " + ChannelSecurity.supportedTypes();
  }
}
