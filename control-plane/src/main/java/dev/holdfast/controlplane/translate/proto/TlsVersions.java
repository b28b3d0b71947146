// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto;

import dev.holdfast.controlplane.objects.httpproxy.Tls;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsParameters;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.TlsParameters.TlsProtocol;

/** The TLS versions that a proxy offers or accepts. */
public final class TlsVersions {
  private TlsVersions() {}

  public static TlsParameters of(Tls.Version minimum, Tls.Version maximum) {
    return TlsParameters.newBuilder()
        .setTlsMinimumProtocolVersion(protocol(minimum))
        .setTlsMaximumProtocolVersion(protocol(maximum))
        .build();
  }

  private static TlsProtocol protocol(Tls.Version version) {
    return switch (version) {
      case TLS_1_2 -> TlsProtocol.TLSv1_2;
      case TLS_1_3 -> TlsProtocol.TLSv1_3;
    };
  }
}
