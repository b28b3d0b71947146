// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.server.tls.TlsFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about the port that proxies connect to; null is what it does not say.
 *
 * @param address where it listens
 * @param certificate of the server
 * @param key of the certificate
 * @param clientCa signs the certificates of clients
 * @param clientCrl the certificates that it has revoked
 */
public record XdsOptions(
    @Nullable ListenAddress address,
    @Nullable Path certificate,
    @Nullable Path key,
    @Nullable Path clientCa,
    @Nullable Path clientCrl) {
  private static final XdsOptions NONE = new XdsOptions(null, null, null, null, null);

  /** Says nothing. */
  public static XdsOptions none() {
    return NONE;
  }

  XdsOptions orElse(XdsOptions other) {
    return new XdsOptions(
        address == null ? other.address : address,
        certificate == null ? other.certificate : certificate,
        key == null ? other.key : key,
        clientCa == null ? other.clientCa : clientCa,
        clientCrl == null ? other.clientCrl : clientCrl);
  }

  /**
   * The files for TLS; null without TLS.
   *
   * @throws StartException if some are missing
   */
  @Nullable TlsFiles tls() throws StartException {
    if (certificate == null && key == null) {
      if (clientCa != null || clientCrl != null) {
        throw new StartException(
            (clientCa == null ? "--xds-client-crl" : "--xds-client-ca")
                + " without a certificate (expected: --xds-certificate and --xds-key, too)");
      }
      return null;
    }
    if (certificate == null || key == null) {
      throw new StartException(
          (key == null
                  ? "--xds-certificate without --xds-key"
                  : "--xds-key without" + " --xds-certificate")
              + " (expected: both)");
    }
    if (clientCrl != null && clientCa == null) {
      throw new StartException(
          "--xds-client-crl without --xds-client-ca (expected: the CA that signed the list)");
    }
    return new TlsFiles(certificate, key, clientCa, clientCrl);
  }
}
