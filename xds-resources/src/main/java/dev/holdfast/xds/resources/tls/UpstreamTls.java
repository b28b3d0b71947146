// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.tls;

import dev.holdfast.xds.resources.matcher.StringMatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a client secures its connections to a cluster (gRFC A29, A82, A101).
 *
 * @param identity the client's own certificate; null if it has none to show
 * @param roots the certificates that vouch for the server; null for those of the system
 * @param subjectAltNames of which the server's certificate must match one, if there are any
 * @param sni the name sent in the handshake; empty for none
 * @param autoHostSni whether the name of the endpoint, where it has one, goes before {@code sni}
 * @param autoSniSanValidation whether the name that was sent replaces {@code subjectAltNames}
 */
public record UpstreamTls(
    @Nullable CertificateProvider identity,
    @Nullable CertificateProvider roots,
    List<StringMatcher> subjectAltNames,
    String sni,
    boolean autoHostSni,
    boolean autoSniSanValidation) {
  public UpstreamTls {
    subjectAltNames = List.copyOf(subjectAltNames);
  }
}
