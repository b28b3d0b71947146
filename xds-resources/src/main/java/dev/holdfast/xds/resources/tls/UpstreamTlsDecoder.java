// SPDX-License-Identifier: Apache-2.0
package dev.holdfast.xds.resources.tls;

import dev.holdfast.base.Problems;
import dev.holdfast.xds.resources.decode.Decoding;
import dev.holdfast.xds.resources.matcher.StringMatcher;
import dev.holdfast.xds.resources.matcher.StringMatcherDecoder;
import io.envoyproxy.envoy.config.core.v3.TransportSocket;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CertificateValidationContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.CommonTlsContext;
import io.envoyproxy.envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes the transport socket of a cluster. */
public final class UpstreamTlsDecoder {
  private static final String TYPE = "envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext";

  /** The limit that gRFC A101 takes over from Envoy. */
  private static final int MAX_SNI_LENGTH = 255;

  private UpstreamTlsDecoder() {}

  /** The TLS configuration, or null after reporting what is wrong. */
  public static @Nullable UpstreamTls decode(
      TransportSocket socket, Decoding decoding, Problems problems) {
    UpstreamTlsContext context =
        TransportSockets.unpack(socket, TYPE, UpstreamTlsContext.parser(), problems);
    return context == null ? null : decode(context, decoding, problems.at("typed_config"));
  }

  private static @Nullable UpstreamTls decode(
      UpstreamTlsContext proto, Decoding decoding, Problems problems) {
    int before = problems.count();
    if (proto.getSni().length() > MAX_SNI_LENGTH) {
      problems
          .at("sni")
          .invalid(
              proto.getSni().length() + " characters (expected: at most " + MAX_SNI_LENGTH + ")");
    }
    if (!proto.hasCommonTlsContext()) {
      problems.at("common_tls_context").required("not set (expected: how to validate the server)");
      return null;
    }
    CommonTlsContext common = proto.getCommonTlsContext();
    Problems at = problems.at("common_tls_context");
    CommonTlsDecoder.rejectUnsafe(common, at);
    CertificateProvider identity = identity(common, decoding, at);
    CommonTlsDecoder.rejectSdsValidation(common, at);
    CommonTlsDecoder.Validation validation = CommonTlsDecoder.validation(common, at);
    if (validation == null) {
      if (!common.hasValidationContextSdsSecretConfig()) {
        at.required(
            "no way to validate the server (expected: validation_context or"
                + " combined_validation_context.default_validation_context)");
      }
      return null;
    }
    CertificateProvider roots = roots(common, validation, decoding, at);
    CommonTlsDecoder.rejectUnsafe(validation.context(), validation.problems());
    List<StringMatcher> names = subjectAltNames(validation, decoding);
    if (problems.count() > before) {
      return null;
    }
    return new UpstreamTls(
        identity,
        roots,
        names,
        proto.getSni(),
        proto.getAutoHostSni(),
        proto.getAutoSniSanValidation());
  }

  /** Optional, but what is configured must be something that can be used. */
  private static @Nullable CertificateProvider identity(
      CommonTlsContext common, Decoding decoding, Problems problems) {
    if (CommonTlsDecoder.hasIdentity(common)) {
      return CommonTlsDecoder.identity(common, decoding, problems);
    }
    String instead = " (expected: tls_certificate_provider_instance)";
    if (common.getTlsCertificatesCount() > 0) {
      problems.at("tls_certificates").unsupported("set" + instead);
    }
    if (common.getTlsCertificateSdsSecretConfigsCount() > 0) {
      problems.at("tls_certificate_sds_secret_configs").unsupported("set" + instead);
    }
    return null;
  }

  /** From a provider or, where none is named, those of the system if they are asked for (A82). */
  private static @Nullable CertificateProvider roots(
      CommonTlsContext common,
      CommonTlsDecoder.Validation validation,
      Decoding decoding,
      Problems problems) {
    if (CommonTlsDecoder.hasRoots(common, validation)) {
      return CommonTlsDecoder.roots(common, validation, decoding, problems);
    }
    if (!validation.context().hasSystemRootCerts()) {
      validation
          .problems()
          .at("ca_certificate_provider_instance")
          .required("not set (expected: this or system_root_certs)");
    }
    return null;
  }

  @SuppressWarnings("deprecation") // the field that gRFC A29 reads
  private static List<StringMatcher> subjectAltNames(
      CommonTlsDecoder.Validation validation, Decoding decoding) {
    CertificateValidationContext context = validation.context();
    List<StringMatcher> names = new ArrayList<>(context.getMatchSubjectAltNamesCount());
    for (int i = 0; i < context.getMatchSubjectAltNamesCount(); i++) {
      if (Decoding.full(validation.problems())) {
        break;
      }
      StringMatcher name =
          StringMatcherDecoder.decode(
              context.getMatchSubjectAltNames(i),
              decoding,
              validation.problems().at("match_subject_alt_names", i));
      if (name != null) {
        names.add(name);
      }
    }
    return names;
  }
}
