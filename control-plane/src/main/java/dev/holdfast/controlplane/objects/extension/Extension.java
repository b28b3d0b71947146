// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.objects.extension;

import com.google.protobuf.Any;
import dev.holdfast.controlplane.objects.read.Fields;
import dev.holdfast.controlplane.objects.read.TextRules;

/**
 * A piece of Envoy configuration.
 *
 * @param name of the HTTP filter that it configures
 * @param config ready to send: of a type that Envoy has, and valid by the constraints of its API
 */
public record Extension(String name, Any config) {
  private static final String CONFIG = "typedConfig";
  private static final String FILTERS = "type.googleapis.com/envoy.extensions.filters.http.";
  private static final String ROUTER = FILTERS + "router.v3.Router";

  static Extension decode(Fields fields) {
    return new Extension(
        fields.requiredText("name", TextRules.NOT_EMPTY), fields.requiredMessage(CONFIG));
  }

  /** Decodes a filter that the policy adds, which must be one that can come before the router. */
  static Extension decodeFilter(Fields fields) {
    Extension filter = decode(fields);
    String type = filter.config().getTypeUrl();
    if (!type.isEmpty() && (!type.startsWith(FILTERS) || type.endsWith("PerRoute"))) {
      fields.invalid(
          CONFIG,
          type.substring(type.lastIndexOf('/') + 1)
              + " is no HTTP filter (expected: a type of envoy.extensions.filters.http)");
    } else if (type.equals(ROUTER)) {
      fields.invalid(
          CONFIG, "the router ends the chain (expected: a filter that can stand before it)");
    }
    return filter;
  }
}
