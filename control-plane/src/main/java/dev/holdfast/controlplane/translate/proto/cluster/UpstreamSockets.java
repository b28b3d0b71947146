// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.controlplane.translate.proto.cluster;

import dev.holdfast.controlplane.objects.read.IpAddress;
import dev.holdfast.controlplane.translate.proto.Anys;
import dev.holdfast.controlplane.translate.proto.Matchers;
import dev.holdfast.controlplane.translate.proto.TlsVersions;
import io.envoyproxy.envoy.config.core.v3.ConfigSource;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext.CombinedCertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SdsSecretConfig;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.SubjectAltNameMatcher.SanType;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;

/** TLS transport sockets of clusters. */
final class UpstreamSockets {
  private static final String NAME = "envoy.transport_sockets.tls";

  private UpstreamSockets() {}

  static TransportSocket of(ClusterSpec spec, ConfigSource ads) {
    UpstreamTlsContext.Builder context =
        UpstreamTlsContext.newBuilder().setSni(spec.tls().serverName());
    CommonTlsContext.Builder common =
        context
            .getCommonTlsContextBuilder()
            .setTlsParams(TlsVersions.of(spec.tls().minimum(), spec.tls().maximum()));
    if (spec.tls().certificate() != null) {
      common.addTlsCertificateSdsSecretConfigs(secret(spec.tls().certificate(), ads));
    }
    if (spec.usesHttp2()) {
      common.addAlpnProtocols("h2");
    }
    if (spec.tls().validation() != null) {
      common.setCombinedValidationContext(validation(spec.tls().validation(), ads));
    }
    return TransportSocket.newBuilder()
        .setName(NAME)
        .setTypedConfig(Anys.of(context.build()))
        .build();
  }

  private static CombinedCertificateValidationContext validation(
      UpstreamTls.Validation validation, ConfigSource ads) {
    CertificateValidationContext.Builder names = CertificateValidationContext.newBuilder();
    validation.subjectNames().forEach(name -> names.addMatchTypedSubjectAltNames(matcher(name)));
    return CombinedCertificateValidationContext.newBuilder()
        .setDefaultValidationContext(names)
        .setValidationContextSdsSecretConfig(secret(validation.authority(), ads))
        .build();
  }

  private static SdsSecretConfig secret(String name, ConfigSource ads) {
    return SdsSecretConfig.newBuilder().setName(name).setSdsConfig(ads).build();
  }

  private static SubjectAltNameMatcher matcher(String name) {
    return SubjectAltNameMatcher.newBuilder()
        .setSanType(type(name))
        .setMatcher(Matchers.exact(name))
        .build();
  }

  private static SanType type(String name) {
    if (name.contains("://")) {
      return SanType.URI;
    }
    return IpAddress.isV4(name) || IpAddress.isV6(name) ? SanType.IP_ADDRESS : SanType.DNS;
  }
}
