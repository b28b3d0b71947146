// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.controlplane.ads.access.AccessRule;
import dev.holdfast.server.tls.TlsFiles;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one place says about the port that proxies connect to; null is what it does not say.
 *
 * @param address where it listens
 * @param certificate of the server
 * @param key of the certificate
 * @param clientCa signs the certificates of clients
 * @param clientCrl the certificates that it has revoked
 * @param identities what clients may do, by the names in their certificates
 * @param insecureSecrets whether secrets are served to other machines without TLS
 * @param vhds whether proxies that take it get each host without TLS as a resource of its own
 */
public record XdsOptions(
    @Nullable ListenAddress address,
    @Nullable Path certificate,
    @Nullable Path key,
    @Nullable Path clientCa,
    @Nullable Path clientCrl,
    @Nullable List<AccessRule> identities,
    @Nullable Boolean insecureSecrets,
    @Nullable Boolean vhds) {

  /** Without rules for identities: the command line has no option for them. */
  public XdsOptions(
      @Nullable ListenAddress address,
      @Nullable Path certificate,
      @Nullable Path key,
      @Nullable Path clientCa,
      @Nullable Path clientCrl) {
    this(address, certificate, key, clientCa, clientCrl, null, null, null);
  }

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
        clientCrl == null ? other.clientCrl : clientCrl,
        identities == null ? other.identities : identities,
        insecureSecrets == null ? other.insecureSecrets : insecureSecrets,
        vhds == null ? other.vhds : vhds);
  }

  /**
   * Who may do what.
   *
   * @throws StartException if some are missing
   */
  XdsSecurity security() throws StartException {
    TlsFiles files = tls();
    if (identities != null && clientCa == null) {
      throw new StartException(
          "xds.identities without --xds-client-ca (expected: the CA that signs their"
              + " certificates)");
    }
    return new XdsSecurity(
        files,
        identities == null ? List.of() : identities,
        insecureSecrets != null && insecureSecrets);
  }

  private @Nullable TlsFiles tls() throws StartException {
    return PortFiles.of("xds", certificate, key, clientCa, clientCrl);
  }
}
