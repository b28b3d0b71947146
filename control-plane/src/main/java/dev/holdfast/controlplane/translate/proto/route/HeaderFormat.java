// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Header values in Envoy's format, in which a percent sign starts a variable. Only variables known
 * to be harmless are kept: an unknown one makes Envoy reject the whole route table.
 */
final class HeaderFormat {
  private static final Pattern VARIABLE =
      Pattern.compile("%(?:([A-Z0-9_]+)|(REQ\\([A-Za-z0-9_-]+\\)))%");

  private static final Set<String> KNOWN =
      Set.of(
          "DOWNSTREAM_LOCAL_ADDRESS",
          "DOWNSTREAM_LOCAL_ADDRESS_WITHOUT_PORT",
          "DOWNSTREAM_LOCAL_PORT",
          "DOWNSTREAM_LOCAL_SUBJECT",
          "DOWNSTREAM_LOCAL_URI_SAN",
          "DOWNSTREAM_PEER_CERT",
          "DOWNSTREAM_PEER_CERT_V_END",
          "DOWNSTREAM_PEER_CERT_V_START",
          "DOWNSTREAM_PEER_FINGERPRINT_1",
          "DOWNSTREAM_PEER_FINGERPRINT_256",
          "DOWNSTREAM_PEER_ISSUER",
          "DOWNSTREAM_PEER_SERIAL",
          "DOWNSTREAM_PEER_SUBJECT",
          "DOWNSTREAM_PEER_URI_SAN",
          "DOWNSTREAM_REMOTE_ADDRESS",
          "DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT",
          "DOWNSTREAM_TLS_CIPHER",
          "DOWNSTREAM_TLS_SESSION_ID",
          "DOWNSTREAM_TLS_VERSION",
          "HOSTNAME",
          "PROTOCOL",
          "RESPONSE_CODE_DETAILS",
          "RESPONSE_FLAGS",
          "UPSTREAM_REMOTE_ADDRESS");

  private HeaderFormat() {}

  /**
   * The value with every percent sign doubled that does not delimit a known variable.
   *
   * @param substitutes variables that are replaced by their values now
   */
  static String of(String value, Map<String, String> substitutes) {
    if (value.indexOf('%') < 0) {
      return value;
    }
    StringBuilder format = new StringBuilder();
    Matcher variable = VARIABLE.matcher(value);
    int at = 0;
    while (at < value.length()) {
      char c = value.charAt(at);
      if (c != '%') {
        format.append(c);
        at++;
      } else if (variable.region(at, value.length()).lookingAt()
          && append(format, variable, substitutes)) {
        at = variable.end();
      } else {
        format.append("%%");
        at++;
      }
    }
    return format.toString();
  }

  private static boolean append(
      StringBuilder format, Matcher variable, Map<String, String> substitutes) {
    String name = variable.group(1);
    if (name == null || KNOWN.contains(name)) {
      format.append(variable.group());
      return true;
    }
    String substitute = substitutes.get(name);
    if (substitute != null) {
      format.append(substitute);
    }
    return substitute != null;
  }
}
