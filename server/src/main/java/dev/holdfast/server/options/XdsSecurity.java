// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.server.options;

import dev.holdfast.server.tls.TlsFiles;
import org.jspecify.annotations.Nullable;

/**
 * Who may do what on the port that proxies connect to.
 *
 * @param tls the files for TLS; null without TLS
 */
public record XdsSecurity(@Nullable TlsFiles tls) {
  private static final XdsSecurity NONE = new XdsSecurity(null);

  /** Without TLS, for clients that this machine or the network admits. */
  public static XdsSecurity none() {
    return NONE;
  }
}
