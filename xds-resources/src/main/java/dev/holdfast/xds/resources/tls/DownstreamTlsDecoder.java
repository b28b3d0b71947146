// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.tls;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext.OcspStaplePolicy;
import org.jspecify.annotations.Nullable;

/** Decodes the transport socket of a filter chain. */
public final class DownstreamTlsDecoder {
  private static final String TYPE =
      "envoy.extensions.transport_sockets.tls.v3.DownstreamTlsContext";

  private DownstreamTlsDecoder() {}

  /** The TLS configuration, or null after reporting what is wrong. */
  public static @Nullable DownstreamTls decode(
      TransportSocket socket, Decoding decoding, Problems problems) {
    DownstreamTlsContext context =
        TransportSockets.unpack(socket, TYPE, DownstreamTlsContext.parser(), problems);
    return context == null ? null : decode(context, decoding, problems.at("typed_config"));
  }

  private static @Nullable DownstreamTls decode(
      DownstreamTlsContext proto, Decoding decoding, Problems problems) {
    int before = problems.count();
    if (proto.getRequireSni().getValue()) {
      problems.at("require_sni").unsupported("true (expected: not set or false)");
    }
    if (proto.getOcspStaplePolicy() != OcspStaplePolicy.LENIENT_STAPLING) {
      problems
          .at("ocsp_staple_policy")
          .unsupported(proto.getOcspStaplePolicy() + " (expected: LENIENT_STAPLING)");
    }
    if (!proto.hasCommonTlsContext()) {
      problems.at("common_tls_context").required("not set (expected: the server's certificate)");
      return null;
    }
    CommonTlsContext common = proto.getCommonTlsContext();
    Problems at = problems.at("common_tls_context");
    CommonTlsDecoder.rejectUnsafe(common, at);
    CertificateProvider identity = CommonTlsDecoder.identity(common, decoding, at);
    if (!CommonTlsDecoder.hasIdentity(common)) {
      at.at("tls_certificate_provider_instance")
          .required("not set (expected: where the server's certificate comes from)");
    }
    boolean requireClientCertificate = proto.getRequireClientCertificate().getValue();
    CommonTlsDecoder.rejectSdsValidation(common, at);
    CommonTlsDecoder.Validation validation = CommonTlsDecoder.validation(common, at);
    CertificateProvider roots = null;
    if (validation != null) {
      roots = clientRoots(common, validation, decoding, at);
    } else if (requireClientCertificate && !common.hasValidationContextSdsSecretConfig()) {
      at.required(
          "require_client_certificate without a way to validate it (expected:"
              + " validation_context or combined_validation_context.default_validation_context)");
    }
    if (identity == null || problems.count() > before) {
      return null;
    }
    return new DownstreamTls(identity, roots, requireClientCertificate);
  }

  @SuppressWarnings("deprecation") // the field that gRFC A29 reads
  private static @Nullable CertificateProvider clientRoots(
      CommonTlsContext common,
      CommonTlsDecoder.Validation validation,
      Decoding decoding,
      Problems problems) {
    CertificateProvider roots = CommonTlsDecoder.roots(common, validation, decoding, problems);
    Problems at = validation.problems();
    if (!CommonTlsDecoder.hasRoots(common, validation)) {
      // system_root_certs will not do here: gRFC A82 has them for clients only.
      at.at("ca_certificate_provider_instance")
          .required("not set (expected: the certificates that vouch for clients)");
    }
    CommonTlsDecoder.rejectUnsafe(validation.context(), at);
    if (validation.context().getMatchSubjectAltNamesCount() > 0) {
      at.at("match_subject_alt_names").unsupported("set (expected: only in an UpstreamTlsContext)");
    }
    return roots;
  }
}
