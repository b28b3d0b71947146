// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.host;

import dev.holdfast.config.ObjectKey;
import dev.holdfast.controlplane.objects.httpproxy.Tls;
import dev.holdfast.controlplane.translate.assemble.FieldOrigin;
import dev.holdfast.controlplane.translate.assemble.Fragment;
import dev.holdfast.controlplane.translate.proto.listener.DownstreamTls;
import dev.holdfast.controlplane.translate.proto.listener.HttpOptions;
import java.util.SortedSet;

/**
 * The filter chain for clients that name no host in TLS, or an unknown one. All hosts that ask for
 * it share it: which host a request is for is known only after the certificate was shown.
 */
public final class FallbackChain {
  /** No host has this name. */
  public static final String NAME = "fallback certificate";

  private FallbackChain() {}

  /**
   * The chain.
   *
   * @param certificate the secret with the certificate
   * @param first one of the hosts that ask for it
   * @param filters the filters of policies for all of these hosts
   */
  static Fragment of(
      ObjectKey certificate, FieldOrigin first, SortedSet<FilterUse> filters, HttpOptions options) {
    return TlsHost.chain(
        NAME,
        new DownstreamTls(
            SecretDemand.server(certificate).id().name(),
            Tls.Version.TLS_1_2,
            Tls.Version.TLS_1_3,
            null),
        first,
        filters,
        options);
  }
}
