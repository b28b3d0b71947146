// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.resolver;

import dev.holdfast.grpc.bootstrap.XdsBootstrap;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A target of a channel: {@code xds:name}, {@code xds:///name} or {@code xds://authority/name}.
 *
 * @param uri as it was given
 * @param authority who answers for it (gRFC A47); empty for the bootstrap's own servers
 * @param name of the service
 */
record XdsTarget(String uri, String authority, String name) {
  private static final String XDSTP = "xdstp:";
  private static final String UNRESERVED = "-._~";
  private static final String SUB_DELIMITERS = "!$&'()*+,;=";

  /**
   * @param path with or without the slash in front
   */
  static XdsTarget of(String uri, @Nullable String authority, @Nullable String path) {
    String name = path == null ? "" : path.startsWith("/") ? path.substring(1) : path;
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          "target: " + uri + " (expected: xds:///SERVICE or xds://AUTHORITY/SERVICE)");
    }
    return new XdsTarget(uri, authority == null ? "" : authority, name);
  }

  /** What servers are called on data plane connections, and what virtual hosts are sought for. */
  String serviceAuthority() {
    return encode(name, SUB_DELIMITERS + ":@[]");
  }

  /** The listener that everything begins with, or why there can be none. */
  StatusOr<String> listener(XdsBootstrap bootstrap) {
    String template = bootstrap.clientDefaultListenerResourceNameTemplate();
    if (!authority.isEmpty()) {
      template = bootstrap.clientListenerResourceNameTemplate(authority);
      if (template == null) {
        return StatusOr.fromStatus(
            Status.UNAVAILABLE.withDescription(
                "target "
                    + uri
                    + ": unknown authority "
                    + authority
                    + " (expected: one of the bootstrap's authorities "
                    + bootstrap.authorities().keySet()
                    + ")"));
      }
    }
    String replacement = template.startsWith(XDSTP) ? encode(name, SUB_DELIMITERS + ":@/") : name;
    return StatusOr.fromValue(template.replace("%s", replacement));
  }

  /** Percent-encodes all but letters, digits, what is never encoded, and what else is allowed. */
  private static String encode(String text, String allowed) {
    StringBuilder encoded = new StringBuilder(text.length());
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xFF);
      boolean plain =
          (c >= 'a' && c <= 'z')
              || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')
              || UNRESERVED.indexOf(c) >= 0
              || allowed.indexOf(c) >= 0;
      if (plain) {
        encoded.append(c);
      } else {
        encoded.append(String.format(Locale.ROOT, "%%%02X", (int) c));
      }
    }
    return encoded.toString();
  }
}
