// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import dev.holdfast.controlplane.objects.httpproxy.HeaderValue;
import dev.holdfast.controlplane.objects.httpproxy.HeadersPolicy;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How TLS is spoken with a service.
 *
 * @param serverName which server is asked for; empty for none
 * @param validation null if whatever it shows will do
 */
public record UpstreamTls(String serverName, @Nullable Validation validation) {
  private static final int LONGEST_NAME = 255;

  /**
   * How the service proves who it is.
   *
   * @param authority the name of the secret (of SDS) with the authorities to trust
   * @param subjectNames one of which its certificate must be for
   */
  public record Validation(String authority, List<String> subjectNames) {
    public Validation {
      subjectNames = List.copyOf(subjectNames);
    }
  }

  /** The name to ask for: the host that requests come with, if one is set; what is first wins. */
  public static String serverName(
      @Nullable HeadersPolicy ofService, @Nullable HeadersPolicy ofRoute) {
    return Stream.of(host(ofService), host(ofRoute))
        .filter(host -> !host.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static String host(@Nullable HeadersPolicy policy) {
    if (policy == null) {
      return "";
    }
    for (HeaderValue header : policy.set()) {
      if (header.name().equalsIgnoreCase("host")) {
        String name = header.value().replaceFirst(":[0-9]+$", "");
        return name.contains("%") || name.length() > LONGEST_NAME ? "" : name;
      }
    }
    return "";
  }
}
