// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.controlplane.ads.access.AccessRule;
import dev.holdfast.server.tls.TlsFiles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what on the port that proxies connect to.
 *
 * @param tls the files for TLS; null without TLS
 * @param identities what clients may do, by the names in their certificates; empty if all may do
 *     everything
 */
public record XdsSecurity(@Nullable TlsFiles tls, List<AccessRule> identities) {
  private static final XdsSecurity NONE = new XdsSecurity(null);

  public XdsSecurity {
    identities = List.copyOf(identities);
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
