// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.authors;

import dev.holdfast.base.NamePattern;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which headers objects may set and remove. The HTTP stack of the proxy owns those of a connection
 * and of the framing of messages: a request whose length or encoding says something else than its
 * bytes is how one request is smuggled inside another.
 *
 * @param denied in lower case
 */
public record HeaderRules(List<NamePattern> denied) {
  /** All headers. */
  public static final HeaderRules ALL = new HeaderRules(List.of());

  /** None of those that belong to the connection or frame the message. */
  public static final HeaderRules SAFE =
      new HeaderRules(
          List.of(
                  "connection",
                  "content-length",
                  "keep-alive",
                  "proxy-connection",
                  "te",
                  "trailer",
                  "transfer-encoding",
                  "upgrade",
                  "http2-settings")
              .stream()
              .map(NamePattern::new)
              .toList());

  public HeaderRules {
    denied = List.copyOf(denied);
  }

  /** Why objects may not set or remove a header; null if they may. */
  @Nullable String problem(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return denied.stream().anyMatch(pattern -> pattern.matches(name, List.of()))
        ? "\"" + header + "\", which authors must not change (expected: another header)"
        : null;
  }

  /**
   * Why a configuration of Envoy may not set or remove a header; null if it may. An HTTPProxy has
   * fields for the host and the path, whose values are checked; a header would go around that.
   */
  @Nullable String problemInEnvoy(String header) {
    boolean isOfRequestLine =
        !denied.isEmpty()
            && (header.equalsIgnoreCase("host") || (header.startsWith(":") && !isReadOnly(header)));
    return isOfRequestLine
        ? "\""
            + header
            + "\", which authors must not change (expected: the fields of the HTTPProxy)"
        : problem(header);
  }

  private static boolean isReadOnly(String header) {
    return header.equals(":status");
  }
}
