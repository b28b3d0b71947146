// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.controlplane.ads.access.AccessRule;
import dev.holdfast.server.tls.TlsFiles;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what on the port that proxies connect to.
 *
 * @param tls the files for TLS; null without TLS
 * @param identities what clients may do, by the names in their certificates; empty if all may do
 *     everything
 * @param insecureSecrets whether secrets are served although others could read them on the way
 */
public record XdsSecurity(
    @Nullable TlsFiles tls, List<AccessRule> identities, boolean insecureSecrets) {
  private static final XdsSecurity NONE = new XdsSecurity(null);

  public XdsSecurity {
    identities = List.copyOf(identities);
  }

  /** One that serves no secret to other machines without TLS. */
  public XdsSecurity(@Nullable TlsFiles tls, List<AccessRule> identities) {
    this(tls, identities, /* insecureSecrets= */ false);
  }

  /** Whether no client of a port gets secrets. */
  public boolean withholdsSecrets(ListenAddress port) {
    try {
      return tls == null && !insecureSecrets && !port.isLoopback();
    } catch (UnknownHostException e) {
      return true; // which opening the port will tell
    }
  }

  /** Without rules for identities. */
  public XdsSecurity(@Nullable TlsFiles tls) {
    this(tls, List.of());
  }

  /** Without TLS, for clients that this machine or the network admits. */
  public static XdsSecurity none() {
    return NONE;
  }
}
