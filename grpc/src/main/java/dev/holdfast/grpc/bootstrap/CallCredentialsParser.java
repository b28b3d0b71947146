// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import dev.holdfast.grpc.transport.CallSecurity;
import dev.holdfast.xds.client.Credentials;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code call_creds} (gRFC A97): all that we can use are used, and what they say must then be
 * right; the others are for somebody else.
 */
final class CallCredentialsParser {
  private CallCredentialsParser() {}

  static List<Credentials> parse(Fields server) {
    List<Credentials> used = new ArrayList<>();
    for (Fields element : server.objects("call_creds")) {
      String type =
          element.requiredString("type", "a type such as one of " + CallSecurity.supportedTypes());
      if (type != null && CallSecurity.supportedTypes().contains(type)) {
        Credentials credentials = new Credentials(type, BootstrapParser.config(element));
        CallSecurity.check(credentials, element.problems().at("config"));
        used.add(credentials);
      }
    }
    return used;
  }
}
