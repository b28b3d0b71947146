// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.route;

import dev.holdfast.controlplane.objects.httpproxy.HeaderValue;
import dev.holdfast.controlplane.objects.httpproxy.HeadersPolicy;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption;
import io.envoyproxy.envoy.config.core.v3.HeaderValueOption.HeaderAppendAction;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes of headers, except of Host, which the route rewrites. */
final class HeaderMutations {
  private static final String HOST = "host";
  private static final String HEADER_VARIABLE = "%REQ(";

  private HeaderMutations() {}

  static List<HeaderValueOption> set(
      @Nullable HeadersPolicy policy, Map<String, String> substitutes) {
    return policy == null
        ? List.of()
        : policy.set().stream()
            .filter(header -> !isHost(header))
            .map(header -> option(header, substitutes))
            .toList();
  }

  static List<String> remove(@Nullable HeadersPolicy policy) {
    return policy == null ? List.of() : policy.remove();
  }

  /** Sets a header, replacing those of the same name. */
  static HeaderValueOption option(HeaderValue header, Map<String, String> substitutes) {
    HeaderValueOption.Builder option =
        HeaderValueOption.newBuilder()
            .setAppendAction(HeaderAppendAction.OVERWRITE_IF_EXISTS_OR_ADD)
            // An empty value that the author wrote is kept; a value that is empty because of a
            // variable is not.
            .setKeepEmptyValue(header.value().isEmpty());
    option
        .getHeaderBuilder()
        .setKey(header.name())
        .setValue(HeaderFormat.of(header.value(), substitutes));
    return option.build();
  }

  /** The literal host that the policy sets; null if it sets none. */
  static @Nullable String literalHost(@Nullable HeadersPolicy policy) {
    String value = host(policy);
    return value == null || value.startsWith(HEADER_VARIABLE) ? null : value;
  }

  /** The name of the header whose value becomes the host; null if there is none. */
  static @Nullable String hostHeader(@Nullable HeadersPolicy policy) {
    String value = host(policy);
    return value != null && value.startsWith(HEADER_VARIABLE)
        ? value.substring(HEADER_VARIABLE.length(), value.indexOf(')'))
        : null;
  }

  private static @Nullable String host(@Nullable HeadersPolicy policy) {
    return policy == null
        ? null
        : policy.set().stream()
            .filter(HeaderMutations::isHost)
            .map(HeaderValue::value)
            .findFirst()
            .orElse(null);
  }

  private static boolean isHost(HeaderValue header) {
    return header.name().equalsIgnoreCase(HOST);
  }
}
