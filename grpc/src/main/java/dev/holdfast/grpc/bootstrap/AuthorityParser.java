// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.grpc.bootstrap;

import dev.holdfast.base.Problems;
import dev.holdfast.grpc.bootstrap.XdsBootstrap.Authority;
import org.jspecify.annotations.Nullable;

/** An element of {@code authorities} (gRFC A47). */
final class AuthorityParser {
  private static final String TEMPLATE = "client_listener_resource_name_template";

  private AuthorityParser() {}

  static Authority parse(String name, Fields fields) {
    String template = fields.string(TEMPLATE);
    checkTemplate(name, template, fields.problems());
    return new Authority(
        ServerParser.parseAll(fields), fields.flag("fallback_on_reachability_only"), template);
  }

  /** A template must lead back to the authority it belongs to. */
  static void checkTemplate(String authority, @Nullable String template, Problems problems) {
    String prefix = Authority.prefixOf(authority);
    if (template != null && !template.startsWith(prefix)) {
      problems
          .at(TEMPLATE)
          .invalid("\"" + template + "\" (expected: something that starts with " + prefix + ")");
    }
  }
}
