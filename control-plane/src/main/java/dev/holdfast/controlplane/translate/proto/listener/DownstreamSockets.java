// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.listener;

import com.google.protobuf.BoolValue;
import dev.holdfast.controlplane.objects.httpproxy.Tls.ClientValidation;
import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.TlsVersions;
import dev.holdfast.controlplane.translate.proto.listener.DownstreamTls.Clients;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext.TrustChainVerification;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import java.util.List;

/**
 * TLS transport sockets of listeners. They contain only names: the certificates that authors wrote
 * are sent as secrets.
 */
final class DownstreamSockets {
  private static final String NAME = "envoy.transport_sockets.tls";
  static final List<String> HTTP = List.of("h2", "http/1.1");

  private DownstreamSockets() {}

  static TransportSocket of(
      DownstreamTls tls, List<String> applicationProtocols, ConfigSource ads) {
    DownstreamTlsContext.Builder context = DownstreamTlsContext.newBuilder();
    CommonTlsContext.Builder common =
        context
            .getCommonTlsContextBuilder()
            .setTlsParams(TlsVersions.of(tls.minimum(), tls.maximum()))
            .addTlsCertificateSdsSecretConfigs(secret(tls.certificate(), ads))
            .addAllAlpnProtocols(applicationProtocols);
    if (tls.clients() != null) {
      setValidation(common, tls.clients(), ads);
      context.setRequireClientCertificate(
          BoolValue.of(tls.clients().certificate() == Clients.Certificate.REQUIRED));
    }
    return TransportSocket.newBuilder()
        .setName(NAME)
        .setTypedConfig(Anys.of(context.build()))
        .build();
  }

  private static void setValidation(
      CommonTlsContext.Builder common, Clients clients, ConfigSource ads) {
    CertificateValidationContext.Builder context = CertificateValidationContext.newBuilder();
    if (clients.mode() == ClientValidation.Mode.ACCEPT_ANY) {
      context.setTrustChainVerification(TrustChainVerification.ACCEPT_UNTRUSTED);
    }
    context.setOnlyVerifyLeafCertCrl(clients.crlLeafOnly());
    if (clients.authority() == null) {
      common.setValidationContext(context);
    } else {
      common
          .getCombinedValidationContextBuilder()
          .setDefaultValidationContext(context)
          .setValidationContextSdsSecretConfig(secret(clients.authority(), ads));
    }
  }

  private static SdsSecretConfig secret(String name, ConfigSource ads) {
    return SdsSecretConfig.newBuilder().setName(name).setSdsConfig(ads).build();
  }
}
