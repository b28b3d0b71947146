// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.httpproxy;

import dev.holdfast.controlplane.objects.read.EnumWord;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A redirect; null fields keep what the request had. */
public record Redirect(
    @Nullable Scheme scheme,
    @Nullable String hostname,
    @Nullable Integer port,
    int statusCode,
    @Nullable String path,
    @Nullable String prefix)
    implements Route.Action {
  private static final Set<Long> STATUS_CODES = Set.of(301L, 302L, 303L, 307L, 308L);

  /** The scheme to redirect to. */
  public enum Scheme implements EnumWord {
    HTTP,
    HTTPS;

    @Override
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Redirect decode(Fields fields) {
    Scheme scheme = fields.enumValue("scheme", Scheme.class);
    String hostname = fields.text("hostname", TextRules.HOSTNAME);
    Long port = fields.integer("port", 1, 65535);
    long statusCode = fields.integer("statusCode", 301, 308, 302);
    if (!STATUS_CODES.contains(statusCode)) {
      fields.invalid("statusCode", statusCode + " (expected: 301, 302, 303, 307 or 308)");
    }
    String path = fields.text("path", TextRules.PATH);
    String prefix = fields.text("prefix", TextRules.PATH);
    if (fields.has("path") && fields.has("prefix")) {
      fields.invalid("prefix", "next to path (expected: one of them)");
    }
    return new Redirect(
        scheme, hostname, port == null ? null : port.intValue(), (int) statusCode, path, prefix);
  }
}
