// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.tls;

import org.jspecify.annotations.Nullable;

/**
 * How a server secures the connections of a filter chain (gRFC A29).
 *
 * @param identity the server's certificate
 * @param clientRoots the certificates that vouch for clients; null if none are asked for one
 * @param requireClientCertificate whether a client without a certificate is turned away
 */
public record DownstreamTls(
    CertificateProvider identity,
    @Nullable CertificateProvider clientRoots,
    boolean requireClientCertificate) {}
