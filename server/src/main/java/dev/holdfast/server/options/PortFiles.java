// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.server.tls.TlsFiles;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The files for TLS on a port, of which some need others. */
final class PortFiles {
  private PortFiles() {}

  /**
   * @param port how its options begin
   * @return null without TLS
   * @throws StartException if some are missing
   */
  static @Nullable TlsFiles of(
      String port,
      @Nullable Path certificate,
      @Nullable Path key,
      @Nullable Path clientCa,
      @Nullable Path clientCrl)
      throws StartException {
    String option = "--" + port + "-";
    if (certificate == null && key == null) {
      if (clientCa != null || clientCrl != null) {
        throw new StartException(
            (clientCa == null ? option + "client-crl" : option + "client-ca")
                + " without a certificate (expected: "
                + option
                + "certificate and "
                + option
                + "key, too)");
      }
      return null;
    }
    if (certificate == null || key == null) {
      throw new StartException(
          (key == null
                  ? option + "certificate without " + option + "key"
                  : option + "key without " + option + "certificate")
              + " (expected: both)");
    }
    if (clientCrl != null && clientCa == null) {
      throw new StartException(
          option
              + "client-crl without "
              + option
              + "client-ca (expected: the CA that signed the list)");
    }
    return new TlsFiles(certificate, key, clientCa, clientCrl);
  }
}
