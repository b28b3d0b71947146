// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import dev.holdfast.controlplane.objects.httpproxy.HeaderValue;
import dev.holdfast.controlplane.objects.httpproxy.HeadersPolicy;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * TLS settings of the connection to a service.
 *
 * @param serverName the SNI to send; empty for none
 * @param validation null if the certificate of the service is not validated
 * @param certificate the name of the SDS secret with the certificate of the proxy; null for none
 */
public record UpstreamTls(
    String serverName,
    @Nullable Validation validation,
    @Nullable String certificate,
    Tls.Version minimum,
    Tls.Version maximum) {
  private static final int LONGEST_NAME = 255;

  /**
   * How the certificate of the service is validated.
   *
   * @param authority the name of the SDS secret with the authorities to trust
   * @param subjectNames the certificate must be for one of these
   */
  public record Validation(String authority, List<String> subjectNames) {
    public Validation {
      subjectNames = List.copyOf(subjectNames);
    }
  }

  /**
   * The SNI to send: the Host header that the policies set, if any; the policy of the service takes
   * precedence.
   */
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
